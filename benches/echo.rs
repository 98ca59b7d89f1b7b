//! The *echo*: the smallest possible hook process.
//!
//! It reads once from stdin, answers `{}` and exits, in three system calls. There is no libc, no start-up
//! code and no Rust runtime, so it measures the kernel's cost of a process and two pipes, and none of our
//! code. Every figure for a whole process is a multiple of it, because multiples vary less between machines
//! than times.
//!
//! It is not part of the workspace: `cargo xtask bench` compiles it with plain `rustc`.

#![no_std]
#![no_main]

use core::{arch::global_asm, panic::PanicInfo};

// read(0, below the stack pointer, 4096); write(1, "{}", 2); exit(0)
#[cfg(target_arch = "x86_64")]
global_asm!(
    ".globl _start",
    "_start:",
    "sub rsp, 4096",
    "xor eax, eax",
    "xor edi, edi",
    "mov rsi, rsp",
    "mov edx, 4096",
    "syscall",
    "mov eax, 1",
    "mov edi, 1",
    "lea rsi, [rip + 2f]",
    "mov edx, 2",
    "syscall",
    "mov eax, 60",
    "xor edi, edi",
    "syscall",
    "2: .ascii \"{{}}\"",
);

#[cfg(target_arch = "aarch64")]
global_asm!(
    ".globl _start",
    "_start:",
    "sub sp, sp, #4096",
    "mov x8, #63",
    "mov x0, #0",
    "mov x1, sp",
    "mov x2, #4096",
    "svc #0",
    "mov x8, #64",
    "mov x0, #1",
    "adr x1, 2f",
    "mov x2, #2",
    "svc #0",
    "mov x8, #93",
    "mov x0, #0",
    "svc #0",
    "2: .ascii \"{{}}\"",
    ".balign 4",
);

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

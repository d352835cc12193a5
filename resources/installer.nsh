; electron-builder registers files on Windows, but not their type of content, and no links: tabscope:// is ours to do. SHELL_CONTEXT is the branch of whom
; the app is installed for.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\.tabscope" "Content Type" "application/vnd.tabscope.event-log"
  ; In "Open with", and not by default.
  WriteRegStr SHELL_CONTEXT "Software\Classes\.har\OpenWithProgids" "Tabscope.EventLog" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\.ndjson\OpenWithProgids" "Tabscope.EventLog" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\tabscope" "" "URL:Tabscope"
  WriteRegStr SHELL_CONTEXT "Software\Classes\tabscope" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\tabscope\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\tabscope\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  ; An update runs this as well, and keeps these.
  ${ifNot} ${isUpdated}
    ; What Electron writes for the user at the first notification: the class (src/hosts/electron/notifications/notifier.ts), and a shortcut with its ID, named
    ; after the product. Of an app that is installed for all users, the builder deletes only their shortcut.
    DeleteRegKey HKCU "Software\Classes\CLSID\{086E7F3C-B1F4-49BE-96B3-0D5E6C8D062C}"
    SetShellVarContext current
    WinShell::UninstShortcut "$SMPROGRAMS\${PRODUCT_NAME}.lnk"
    Delete "$SMPROGRAMS\${PRODUCT_NAME}.lnk"
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endif}
  ${endIf}
  DeleteRegKey SHELL_CONTEXT "Software\Classes\tabscope"
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.har\OpenWithProgids" "Tabscope.EventLog"
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.ndjson\OpenWithProgids" "Tabscope.EventLog"
  ; The builder leaves the extension pointing at a class that is gone.
  ReadRegStr $R0 SHELL_CONTEXT "Software\Classes\.tabscope" ""
  ${if} $R0 == "Tabscope.EventLog"
    DeleteRegKey SHELL_CONTEXT "Software\Classes\.tabscope"
  ${endIf}
!macroend

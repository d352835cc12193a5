// Where the system has no language (`LANG=C`), Chromium reports `en-US@posix` and WebKitGTK `C`. uPlot formats numbers in it when it is loaded, which throws.
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}

// Where the system has no language (`LANG=C`), Chromium reports `en-US@posix`. uPlot formats numbers in it when it is loaded, which throws.
if (!/^[\w-]+$/.test(navigator.language)) {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}

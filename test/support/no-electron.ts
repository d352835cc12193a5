throw new Error(
  "A test imports 'electron': the real package would start to download its binary. " +
    'Test what needs Electron in test/desktop, against the built bundle.',
)

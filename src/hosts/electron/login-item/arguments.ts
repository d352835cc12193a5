/** What it is started with at log-in: without a window, and on the same data. */
export function loginArguments(dataDir: string, usual: string): string[] {
  return ['--hidden', ...sameData(dataDir, usual)]
}

/** What has another start use the same data. */
export function sameData(dataDir: string, usual: string): string[] {
  return dataDir === usual ? [] : ['--data', dataDir]
}

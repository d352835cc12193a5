/** What it is started with at log-in: without a window, and on the same data. */
export function loginArguments(dataDir: string, usual: string): string[] {
  return ['--hidden', ...sameData(dataDir, usual)]
}

/** What has another start use the same data. */
export function sameData(dataDir: string, usual: string): string[] {
  return dataDir === usual ? [] : ['--data', dataDir]
}

/** As the parser of command lines on Windows reads it: backslashes count only before a quote, and before the one that ends it. */
export function quoted(argument: string): string {
  return /^[\w./:\\-]+$/.test(argument)
    ? argument
    : `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`
}

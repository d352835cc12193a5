/**
 * The switches of the process, like in Chromium (base/command_line.cc): given switches, and switches that Electron sets before
 * any script runs (shell/app/electron_main_delegate.cc).
 */
export class CommandLine {
  #words: string[]

  constructor(words: readonly string[] = process.argv.slice(2)) {
    const own = ['--allow-file-access-from-files']
    if (process.platform === 'darwin') own.push('--enable-avfoundation')
    if (process.platform === 'linux') own.push('--ozone-platform=x11')
    if (process.env['ELECTRON_DISABLE_SANDBOX'] !== undefined) own.push('--no-sandbox')
    const end = words.indexOf('--')
    this.#words = [...own, ...words.slice(0, end === -1 ? undefined : end)]
  }

  hasSwitch(name: string): boolean {
    return this.#words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  }

  appendSwitch(name: string): void {
    this.#words.push(`--${name}`)
  }

  /** For the double: the effect of `app.enableSandbox()` on the command line. It removes only this spelling. */
  enableSandbox(): void {
    this.#words = [...this.#words.filter((word) => word !== '--no-sandbox'), '--enable-sandbox']
  }
}

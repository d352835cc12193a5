/**
 * The switches of the process as Chromium has them (base/command_line.cc): those that were typed, and those that Electron sets itself before
 * any script runs (shell/app/electron_main_delegate.cc).
 */
export class CommandLine {
  readonly #switches = new Set<string>(['allow-file-access-from-files'])

  constructor(
    words: readonly string[] = process.argv.slice(2),
    platform: NodeJS.Platform = process.platform,
  ) {
    if (platform === 'darwin') this.#switches.add('enable-avfoundation')
    if (platform === 'linux') this.#switches.add('ozone-platform')
    if (process.env['ELECTRON_DISABLE_SANDBOX'] !== undefined) this.#switches.add('no-sandbox')
    const prefix = platform === 'win32' ? /^(?:--|-|\/)(?=.)/ : /^--?(?=.)/
    for (const word of words.map((each) => each.trim())) {
      if (word === '--') break
      const [name = ''] = word.replace(prefix, '').split('=')
      if (prefix.test(word)) this.#switches.add(platform === 'win32' ? name.toLowerCase() : name)
    }
  }

  hasSwitch(name: string): boolean {
    return this.#switches.has(name.toLowerCase())
  }

  /** For the double: what `app.enableSandbox()` does to the command line. */
  enableSandbox(): void {
    this.#switches.delete('no-sandbox')
    this.#switches.add('enable-sandbox')
  }
}

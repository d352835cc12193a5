import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import type { CommandLine } from '#contract/desktop.ts'
import { quoted, urlWord } from '#engine/platform/posix-quote.ts'
import { systemCodeOf, systemReason } from '#shared/text/errors.ts'
import { absoluteFolder } from '../configuration.ts'

interface App {
  /** The folder of its code, in the archive. */
  readonly root: string
  readonly version: string
  /** False: `root` is a checkout, which has its own command line. */
  readonly isPackaged: boolean
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly platform?: NodeJS.Platform
}

/** A file without it belongs to somebody else. */
const MARK = 'Installed by the Tabscope app, which also updates and removes it.'
const NODE_REQUIRED = 'The command line of Tabscope requires Node 22.15 or later'
const NODE_MISSING = `${NODE_REQUIRED}. Install it from https://nodejs.org.`

/** Of the package, with `package.json`: all but what only Electron runs. */
const FOLDERS = ['out/main', 'out/renderer', 'node_modules']
const OF_ELECTRON = ['electron-main.js', 'engine-process.js']

/** The command line of the packaged app: a launcher in a folder of the user, which runs a copy of the app's code with the user's Node. */
export class CommandLineInstaller {
  readonly #app: App
  readonly #platform: NodeJS.Platform
  readonly #launcher: string
  readonly #code: string
  /** Of the code of this version. */
  readonly #copy: string

  constructor(app: App) {
    this.#app = app
    this.#platform = app.platform ?? process.platform
    const { launcher, code } = placesFor(this.#platform, app.env, app.home)
    this.#launcher = launcher
    this.#code = code
    this.#copy = path.join(code, app.version)
  }

  /** Throws a sentence. Null only reads the state. */
  async change(to: 'install' | 'remove' | null): Promise<CommandLine> {
    try {
      if (to === 'install') await this.#install()
      else if (to === 'remove') await this.#remove()
    } catch (error) {
      if (systemCodeOf(error) === '') throw error
      const what = to === 'install' ? 'installed' : 'removed completely'
      const places = `${this.#launcher}, ${this.#code}`
      throw new Error(`The command line was not ${what} (${places}). ${systemReason(error)}`, {
        cause: error,
      })
    }
    return this.#state()
  }

  /** After an update of the app: copies its code again if the command line is installed. */
  async refresh(): Promise<void> {
    if (!this.#app.isPackaged || existsSync(this.#copy)) return
    if ((await this.#owner()) === 'us') await this.#copyCode()
  }

  async #owner(): Promise<'nobody' | 'us' | 'others'> {
    try {
      // A link belongs to others: npm installs one.
      if (!(await lstat(this.#launcher)).isFile()) return 'others'
      return (await readFile(this.#launcher, 'utf8')).includes(MARK) ? 'us' : 'others'
    } catch (error) {
      return systemCodeOf(error) === 'ENOENT' ? 'nobody' : 'others'
    }
  }

  /** Complete or not at all. A command that is running keeps what it has loaded, but finds no more of an earlier version. */
  async #copyCode(): Promise<void> {
    const { root, version } = this.#app
    const code = this.#code
    if (!existsSync(this.#copy)) {
      const unfinished = path.join(code, `.${version}-${process.pid}`)
      for (const folder of FOLDERS) {
        await copyFolder(path.join(root, folder), path.join(unfinished, folder))
      }
      await copyFile(path.join(root, 'package.json'), path.join(unfinished, 'package.json'))
      // Another Tabscope may have been faster.
      await rename(unfinished, this.#copy).catch((error: unknown) => {
        if (!existsSync(this.#copy)) throw error
      })
    }
    await replaceFile(path.join(code, 'tabscope.mjs'), entryText(version))
    for (const name of await readdir(code)) {
      if (name === version || name === 'tabscope.mjs') continue
      // On Windows a running command has files open. They are removed next time.
      await rm(path.join(code, name), { recursive: true, force: true }).catch(() => undefined)
    }
  }

  async #install(): Promise<void> {
    const launcher = this.#launcher
    if ((await this.#owner()) === 'others') {
      throw new Error(
        `${launcher} was not installed by this app. Remove or rename it, then try again.`,
      )
    }
    await this.#copyCode()
    await mkdir(path.dirname(launcher), { recursive: true })
    const isWindows = this.#platform === 'win32'
    await replaceFile(launcher, isWindows ? windowsLauncher : launcherText(this.#code))
    if (!isWindows) await chmod(launcher, 0o755)
  }

  async #remove(): Promise<void> {
    if ((await this.#owner()) === 'us') await rm(this.#launcher)
    await rm(this.#code, { recursive: true, force: true })
  }

  async #state(): Promise<CommandLine> {
    const app = this.#app
    const launcher = this.#launcher
    if (!app.isPackaged) {
      return { command: `npm --prefix ${fileWord(app.root)} run -s tabscope --`, problem: null }
    }
    if ((await this.#owner()) !== 'us') return { command: null, problem: null }
    const isOnPath = folderIsOnPath(path.dirname(launcher), app.env, this.#platform)
    return {
      command: isOnPath ? 'tabscope' : fileWord(launcher, this.#platform),
      problem: isOnPath ? null : pathAdvice(path.dirname(launcher), app.env, this.#platform),
    }
  }
}

interface Places {
  readonly launcher: string
  readonly code: string
}

/** Not in the app's own folder on Windows (`%LOCALAPPDATA%\Programs\tabscope`), which its updates replace. */
export function placesFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): Places {
  if (platform === 'win32') {
    const paths = path.win32
    const local = absoluteFolder(paths, env['LOCALAPPDATA'], home, 'AppData', 'Local')
    const folder = paths.join(local, 'Programs', 'tabscope-command-line')
    return { launcher: paths.join(folder, 'tabscope.cmd'), code: paths.join(folder, 'app') }
  }
  const paths = path.posix
  const data =
    platform === 'darwin'
      ? paths.join(home, 'Library', 'Application Support', 'Tabscope', 'command-line')
      : paths.join(
          absoluteFolder(paths, env['XDG_DATA_HOME'], home, '.local', 'share'),
          'tabscope-command-line',
        )
  return { launcher: paths.join(home, '.local', 'bin', 'tabscope'), code: data }
}

/** A folder that Electron reads from its archive, and Node cannot. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (!OF_ELECTRON.includes(entry.name)) await copyFile(source, target)
  }
}

/** An interruption leaves the old file. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.new`
  await writeFile(temporary, text)
  await rename(temporary, file)
}

/** As in `node/launch.mjs`, which says why. */
const isOldNode = 'major < 22 || (major === 22 && minor < 15) || (major === 23 && minor < 10)'

/** Any Node since 12 must parse it. */
function entryText(version: string): string {
  return `// ${MARK}
const [major, minor] = process.versions.node.split('.').map(Number)
if (!(${isOldNode})) import('./${version}/out/main/cli.js')
else {
  process.stderr.write('${NODE_REQUIRED}, and this is ' + process.versions.node + '.\\n')
  process.exitCode = 2
}
`
}

/** With the Node of the terminal or program that starts it. */
function launcherText(code: string): string {
  return `#!/bin/sh
# ${MARK}
node=$(command -v node) || { echo ${quoted(NODE_MISSING)} >&2; exit 2; }
exec "$node" ${quoted(path.join(code, 'tabscope.mjs'))} "$@"
`
}

const windowsLauncher = [
  '@echo off',
  `rem ${MARK}`,
  'setlocal',
  'set "NODE_FOUND="',
  'for %%I in (node.exe) do set "NODE_FOUND=%%~$PATH:I"',
  'if not defined NODE_FOUND (',
  `  echo ${NODE_MISSING} 1>&2`,
  '  exit /b 2',
  ')',
  '"%NODE_FOUND%" "%~dp0app\\tabscope.mjs" %*',
  '',
].join('\r\n')

export function fileWord(file: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return file.includes(' ') ? `"${file}"` : file
  return urlWord(file)
}

/** The path that the desktop has. A terminal may have another one, by the profile of its shell. */
function folderIsOnPath(
  folder: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'win32') return (env['PATH'] ?? '').split(':').includes(folder)
  const folders = (env['Path'] ?? env['PATH'] ?? '').toLowerCase().split(';')
  return folders.includes(folder.toLowerCase())
}

function pathAdvice(folder: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return `To run it as tabscope, add ${folder} to Path: search for "environment variables" in Windows, and open a new terminal.`
  }
  const line =
    path.basename(env['SHELL'] ?? '') === 'fish'
      ? `fish_add_path ${fileWord(folder, platform)}`
      : `export PATH="${folder}:$PATH"`
  return `If a terminal does not find tabscope, add this line to the profile of your shell, and open a new terminal: ${line}`
}

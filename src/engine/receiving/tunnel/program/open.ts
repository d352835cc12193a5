import { originOf } from '../options.ts'
import {
  TunnelFailure,
  type OpenTunnel,
  type OpenOptions,
  type ProviderDependencies,
  type ProviderEvents,
} from '../provider.ts'
import { startChild, type Exit } from './child.ts'
import { environmentFor, findProgram, missing } from './find.ts'
import { quoted, type ProgramLine, type TunnelProgram } from './reader.ts'

type Opened = Pick<OpenTunnel, 'url' | 'closed'>

/**
 * Waits until the program has a URL and a connection to its server. The program and its children are ended when the signal is aborted, or when its output
 * shows a failure. Rejects with `TunnelFailure` once it has ended.
 */
export async function openProgram(
  program: TunnelProgram,
  options: OpenOptions,
  dependencies: ProviderDependencies,
  events: ProviderEvents,
  signal: AbortSignal,
): Promise<Opened> {
  const { name } = program
  const file = await findProgram(name, dependencies.env)
  if (file === null) {
    throw new TunnelFailure('program_missing', missing(program), { retry: false })
  }
  const opening = new ProgramTunnel(program, options, dependencies, events, signal)
  return opening.open(file)
}

class ProgramTunnel {
  readonly #program: TunnelProgram
  readonly #options: OpenOptions
  readonly #events: ProviderEvents
  readonly #signal: AbortSignal
  readonly #env: NodeJS.ProcessEnv
  readonly #reader: ReturnType<TunnelProgram['reader']>
  readonly #opened = Promise.withResolvers<string>()
  #end: () => void = () => undefined
  #lastLine = ''
  #url: string | null = null
  #connected = false
  #ready = false
  #failure: TunnelFailure | null = null

  constructor(
    program: TunnelProgram,
    options: OpenOptions,
    dependencies: ProviderDependencies,
    events: ProviderEvents,
    signal: AbortSignal,
  ) {
    this.#program = program
    this.#options = options
    this.#events = events
    this.#signal = signal
    this.#env = environmentFor(program, dependencies)
    this.#reader = program.reader((text) => this.#quote(text))
  }

  /** Starts the file of the program. Resolves once the tunnel is ready. */
  async open(file: string): Promise<Opened> {
    if (this.#signal.aborted) throw this.#aborted()
    const { port, options } = this.#options
    const child = startChild(file, this.#program.args(port, options), this.#env, (text) => {
      this.#lastLine = text
      if (this.#signal.aborted || this.#failure !== null) return
      for (const event of this.#reader.line(text)) this.#handle(event)
    })
    this.#end = () => void child.end()
    this.#signal.addEventListener('abort', this.#end, { once: true })
    const closed = child.ended.then((exit) => this.#reasonOf(exit))
    const url = await Promise.race([
      this.#opened.promise,
      closed.then((why) => Promise.reject(why ?? this.#aborted())),
    ])
    return { url, closed }
  }

  #handle(event: ProgramLine): void {
    switch (event.what) {
      case 'address':
        this.#setAddress(event.text)
        break
      case 'connections':
        this.#setConnections(event.open, event.most)
        break
      case 'failed':
        this.#fail(event.failure)
        break
      default:
        event satisfies never
    }
    if (this.#url !== null && this.#connected && !this.#ready && this.#failure === null) {
      this.#ready = true
      this.#opened.resolve(this.#url)
    }
  }

  #setAddress(text: string): void {
    const { name } = this.#program
    const origin = originOf(text)
    if (origin === null) {
      const reason = `${name} reported an invalid URL: "${this.#quote(text)}".`
      this.#fail(new TunnelFailure('server_answer', reason))
    } else if (this.#url !== null && this.#url !== origin) {
      this.#fail(new TunnelFailure('ended', `${name} reconnected with a different URL.`))
    }
    this.#url ??= origin
  }

  #setConnections(open: number, most: number): void {
    const lost = this.#connected && open === 0
    this.#connected = open > 0
    this.#events.connections(open, most)
    if (!lost) return
    const { name } = this.#program
    this.#events.trouble(`${name} lost its connection to its server. ${this.#lastOutput()}`)
  }

  #fail(failure: TunnelFailure): void {
    this.#failure ??= failure
    this.#end()
  }

  #reasonOf(exit: Exit): TunnelFailure | null {
    this.#signal.removeEventListener('abort', this.#end)
    if (this.#signal.aborted) return null
    const { name } = this.#program
    return (
      this.#failure ??
      this.#reader.failure() ??
      unexpectedExit(name, exit, this.#lastOutput(), this.#ready)
    )
  }

  #aborted(): TunnelFailure {
    const reason = `${this.#program.name} was stopped before it was ready. ${this.#lastOutput()}`
    return new TunnelFailure('stopped', reason)
  }

  #lastOutput(): string {
    return this.#lastLine === ''
      ? 'It printed nothing.'
      : `Last output: "${this.#quote(this.#reader.messageOf(this.#lastLine))}".`
  }

  #quote(text: string): string {
    return quoted(text, this.#env)
  }
}

function unexpectedExit(
  name: string,
  exit: Exit,
  lastOutput: string,
  wasOpen: boolean,
): TunnelFailure {
  const { fault, code, signal } = exit
  if (fault !== null) {
    return new TunnelFailure(
      'program_failed',
      `${name} cannot be started (${fault.code ?? 'unknown'}). Check that the program is built for this machine and is executable.`,
      { retry: false },
    )
  }
  const how = signal === null ? `with code ${code}` : `by ${signal}`
  return new TunnelFailure(
    wasOpen ? 'ended' : 'program_failed',
    `${name} ended ${how}. ${lastOutput}`,
  )
}

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

  const env = environmentFor(program, dependencies)
  const quote = (text: string) => quoted(text, env)
  const reader = program.reader(quote)
  let line = ''
  const lastOutput = () =>
    line === '' ? 'It printed nothing.' : `Last output: "${quote(reader.messageOf(line))}".`
  const aborted = () =>
    new TunnelFailure('stopped', `${name} was stopped before it was ready. ${lastOutput()}`)
  if (signal.aborted) throw aborted()

  const opened = Promise.withResolvers<string>()
  let url: string | null = null
  let connected = false
  let ready = false
  let failure: TunnelFailure | null = null

  const fail = (why: TunnelFailure) => {
    failure ??= why
    void child.end()
  }
  const handle = (event: ProgramLine) => {
    switch (event.what) {
      case 'address': {
        const origin = originOf(event.text)
        if (origin === null) {
          fail(
            new TunnelFailure(
              'server_answer',
              `${name} reported an invalid URL: "${quote(event.text)}".`,
            ),
          )
        } else if (url !== null && url !== origin) {
          fail(new TunnelFailure('ended', `${name} reconnected with a different URL.`))
        }
        url ??= origin
        break
      }
      case 'connections': {
        const lost = connected && event.open === 0
        connected = event.open > 0
        events.connections(event.open, event.most)
        if (lost) events.trouble(`${name} lost its connection to its server. ${lastOutput()}`)
        break
      }
      case 'failed':
        fail(event.failure)
        break
      default:
        event satisfies never
    }
    if (url !== null && connected && !ready && failure === null) {
      ready = true
      opened.resolve(url)
    }
  }
  const child = startChild(file, program.args(options.port, options.options), env, (text) => {
    line = text
    if (signal.aborted || failure !== null) return
    for (const event of reader.line(text)) handle(event)
  })
  const stop = () => void child.end()
  signal.addEventListener('abort', stop, { once: true })
  const closed = child.ended.then((exit): TunnelFailure | null => {
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return null
    return failure ?? reader.failure() ?? unexpectedExit(name, exit, lastOutput(), ready)
  })
  const origin = await Promise.race([
    opened.promise,
    closed.then((why) => Promise.reject(why ?? aborted())),
  ])
  return { url: origin, closed }
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

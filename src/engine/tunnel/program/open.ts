import { originOf } from '../options.ts'
import {
  TunnelFailure,
  type OpenTunnel,
  type OpenOptions,
  type ProviderDependencies,
  type TunnelSigns,
} from '../provider.ts'
import { startChild, type Exit } from './child.ts'
import { environmentFor, findProgram, missing } from './find.ts'
import { quoted, type ProgramLine, type TunnelProgram } from './reader.ts'

/** The public origin, and the process that holds it. */
type Opened = Pick<OpenTunnel, 'url' | 'closed'>

/**
 * Starts the program and waits until it has an address and a connection to its server. It is ended, with all that it has started, when the
 * signal is aborted, and when what it says shows that nothing will come of it. Rejects with `TunnelFailure` once it is gone.
 */
export async function openProgram(
  program: TunnelProgram,
  wish: OpenOptions,
  world: ProviderDependencies,
  signs: TunnelSigns,
  signal: AbortSignal,
): Promise<Opened> {
  const { name } = program
  const file = await findProgram(name, world.env)
  if (file === null) {
    throw new TunnelFailure('program_missing', missing(program), { retry: false })
  }

  const env = environmentFor(program, world)
  const quote = (text: string) => quoted(text, env)
  const reader = program.reader(quote)
  let line = ''
  const lastWords = () =>
    line === '' ? 'It said nothing.' : `It said last: "${quote(reader.words(line))}".`
  const aborted = () =>
    new TunnelFailure('stopped', `${name} was ended before it was ready. ${lastWords()}`)
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
  const hear = (said: ProgramLine) => {
    switch (said.what) {
      case 'address': {
        const origin = originOf(said.text)
        if (origin === null) {
          fail(
            new TunnelFailure(
              'server_answer',
              `${name} gave an address that is none: "${quote(said.text)}".`,
            ),
          )
        } else if (url !== null && url !== origin) {
          fail(new TunnelFailure('ended', `${name} reconnected with another URL.`))
        }
        url ??= origin
        break
      }
      case 'connections': {
        const lost = connected && said.open === 0
        connected = said.open > 0
        signs.connections(said.open, said.most)
        if (lost) signs.trouble(`${name} has lost its connection to its server. ${lastWords()}`)
        break
      }
      case 'failed':
        fail(said.failure)
        break
      default:
        said satisfies never
    }
    if (url !== null && connected && !ready && failure === null) {
      ready = true
      opened.resolve(url)
    }
  }
  const child = startChild(file, program.args(wish.port, wish.options), env, (text) => {
    line = text
    if (signal.aborted || failure !== null) return
    for (const said of reader.line(text)) hear(said)
  })
  const stop = () => void child.end()
  signal.addEventListener('abort', stop, { once: true })
  const closed = child.gone.then((exit): TunnelFailure | null => {
    signal.removeEventListener('abort', stop)
    if (signal.aborted) return null
    return failure ?? reader.failure() ?? unknownEnd(name, exit, lastWords(), ready)
  })
  const origin = await Promise.race([
    opened.promise,
    closed.then((why) => Promise.reject(why ?? aborted())),
  ])
  return { url: origin, closed }
}

/** Its last words are all that is known. */
function unknownEnd(name: string, exit: Exit, lastWords: string, wasOpen: boolean): TunnelFailure {
  const { fault, code, signal } = exit
  if (fault !== null) {
    return new TunnelFailure(
      'program_failed',
      `${name} cannot be started (${fault.code ?? 'unknown'}). Look whether the program is one for this machine, and whether it may be run.`,
      { retry: false },
    )
  }
  const how = signal === null ? `with code ${code}` : `by ${signal}`
  return new TunnelFailure(
    wasOpen ? 'ended' : 'program_failed',
    `${name} ended ${how}. ${lastWords}`,
  )
}

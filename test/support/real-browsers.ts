import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { findProgram } from './nats/find.mjs'
import { browser } from './product.ts'
import { newPage } from './shared-page.ts'
import { until } from './until.ts'

/** A page that is driven as by a user. */
export interface RealBrowser extends AsyncDisposable {
  open(address: string): Promise<unknown>
  /** The value of an expression. */
  evaluate(expression: string): Promise<unknown>
  click(x: number, y: number): Promise<unknown>
  /** `held`: a key that is held meanwhile. */
  type(text: string, held?: string): Promise<unknown>
  /** What the console shows: messages, errors, and what a policy blocked. */
  messages(): Promise<unknown>
}

/** As WebDriver writes them. */
export const keys = { control: '\uE009', enter: '\uE007', escape: '\uE00C' } as const
const nameOf = (key: string): string =>
  ({ [keys.control]: 'Control', [keys.enter]: 'Enter', [keys.escape]: 'Escape' })[key] ?? key

const firefox = findProgram('firefox')
const webKit = findProgram('Xvfb') && findProgram('WebKitWebDriver')

/** `launch` null: not installed. */
export const realBrowsers: readonly {
  readonly name: string
  readonly launch: (() => Promise<RealBrowser>) | null
}[] = [
  { name: 'Chromium', launch: openChromium },
  { name: 'Firefox', launch: firefox === null ? null : () => openFirefox(firefox) },
  { name: 'WebKitGTK', launch: webKit === null ? null : () => openWebKit(webKit) },
]

async function openChromium(): Promise<RealBrowser> {
  const page = await newPage(await browser(), {})
  const messages: string[] = []
  page.on('console', (message) => void messages.push(message.text()))
  page.on('pageerror', ({ message }) => void messages.push(message))
  return {
    open: (address) => page.goto(address),
    evaluate: (expression) => page.evaluate(expression),
    click: (x, y) => page.mouse.click(x, y),
    type: async (text, held) => {
      const before = held === undefined ? '' : `${nameOf(held)}+`
      for (const key of text) await page.keyboard.press(before + nameOf(key))
    },
    messages: () => Promise.resolve(messages),
    [Symbol.asyncDispose]: () => page.context().close(),
  }
}

const stroke = (value: string) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))

/** Both protocols of WebDriver have the same actions. */
function input(perform: (actions: object[]) => Promise<unknown>) {
  return {
    click: (x: number, y: number) => {
      const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
      const actions = [{ type: 'pointerMove', x, y }, ...press]
      return perform([{ type: 'pointer', id: 'mouse', actions }])
    },
    type: (text: string, held?: string) => {
      const typed = Array.from(text).flatMap(stroke)
      const [down, up] = held === undefined ? [] : stroke(held)
      const actions = down && up ? [down, ...typed, up] : typed
      return perform([{ type: 'key', id: 'keyboard', actions }])
    },
  }
}

/** Starts programs that end with it, in a home of their own. */
class Programs extends AsyncDisposableStack {
  readonly home = mkdtempSync(path.join(tmpdir(), 'tabscope-browser-'))

  constructor() {
    super()
    this.defer(() => rmSync(this.home, { recursive: true, force: true, maxRetries: 5 }))
  }

  /** Resolves with what the expression finds in the output. */
  start(program: string, args: string[], expression: RegExp, env = {}): Promise<string> {
    const child = spawn(program, args, { env: { ...process.env, HOME: this.home, ...env } })
    const ended = new Promise((resolve) => child.once('close', resolve))
    this.defer(async () => {
      child.kill()
      await ended
    })
    return new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          const [, found] = expression.exec(line) ?? []
          if (found !== undefined) resolve(found)
        })
      }
      child.once('close', () => reject(new Error(`${program} ended`)))
    })
  }
}

const Reply = z.object({
  id: z.number().nullish(),
  params: z.object({ text: z.string().nullish() }).optional(),
  result: z.unknown().optional(),
  message: z.string().optional(),
})
const Tree = z.object({ contexts: z.tuple([z.object({ context: z.string() })]) })
const Evaluated = z.object({ result: z.object({ value: z.string() }) })

/** By WebDriver BiDi, which needs no other program. */
async function openFirefox(program: string): Promise<RealBrowser> {
  const programs = new Programs()
  const args = ['--headless', '--remote-debugging-port=0', '--profile', programs.home]
  const address = await programs.start(program, args, /WebDriver BiDi listening on (ws:\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const messages: unknown[] = []
  const sent: PromiseWithResolvers<unknown>[] = []
  socket.addEventListener('message', ({ data }) => {
    const { id, params, result, message } = Reply.parse(JSON.parse(z.string().parse(data)))
    if (typeof id !== 'number') messages.push(params?.text)
    else if (message === undefined) sent[id]?.resolve(result)
    else sent[id]?.reject(new Error(message))
  })
  const send = (method: string, params: object): Promise<unknown> => {
    const reply = Promise.withResolvers<unknown>()
    const id = sent.push(reply) - 1
    socket.send(JSON.stringify({ id, method, params }))
    return reply.promise
  }
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const [{ context }] = Tree.parse(await send('browsingContext.getTree', {})).contexts
  return {
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    evaluate: async (value) => {
      const expression = `JSON.stringify(${value} ?? null)`
      const call = { expression, target: { context }, awaitPromise: false }
      return JSON.parse(Evaluated.parse(await send('script.evaluate', call)).result.value)
    },
    messages: () => Promise.resolve(messages),
    ...input((actions) => send('input.performActions', { context, actions })),
    [Symbol.asyncDispose]: () => programs.disposeAsync(),
  }
}

const Answer = z.object({ value: z.unknown() })
const Session = z.object({ sessionId: z.string() })

/** By classic WebDriver, on a screen of its own. */
async function openWebKit(program: string): Promise<RealBrowser> {
  const programs = new Programs()
  const display = await programs.start('Xvfb', ['-displayfd', '1'], /^(\d+)$/)
  const port = await freePort()
  void programs.start(program, [`--port=${port}`], /^$/, { DISPLAY: `:${display}` }).catch(() => {})
  let base = `http://127.0.0.1:${port}/session`
  const post = async (command: string, parameters: object): Promise<unknown> => {
    const body = JSON.stringify(parameters)
    const response = await fetch(base + command, { method: 'POST', body })
    const { value } = Answer.parse(await response.json())
    if (!response.ok) throw new Error(JSON.stringify(value))
    return value
  }
  const made = await until('the driver', () => post('', { capabilities: {} }).catch(() => null))
  base += `/${Session.parse(made).sessionId}`
  programs.defer(async () => void (await fetch(base, { method: 'DELETE' })))
  await post('/window/rect', { width: 1280, height: 1000 })
  const evaluate = (value: string) => post('/execute/sync', { script: `return ${value}`, args: [] })
  return {
    open: async (url) => {
      await post('/url', { url: new URL('/nothing-is-here', url).href })
      await post('/execute/async', { script: openListening, args: [url] })
    },
    evaluate,
    messages: () => evaluate('messages'),
    ...input((actions) => post('/actions', { actions })),
    [Symbol.asyncDispose]: () => programs.disposeAsync(),
  }
}

/** The driver shows no console, and runs no script before those of a page. So the page is written into a window that listens already. */
const openListening = `
const [address, done] = arguments
window.messages = []
const add = (message) => messages.push(message)
for (const level in console) console[level] = (...words) => add(words.join(' '))
fetch('/').then((response) => response.text()).then((page) => {
  document.open()
  addEventListener('error', (event) => add(event.message), true)
  addEventListener('unhandledrejection', (event) => add(String(event.reason)))
  addEventListener('securitypolicyviolation', (event) => add(event.violatedDirective))
  history.replaceState(null, '', address)
  document.write(page)
  document.close()
  done()
})
`

import { existsSync, readFileSync } from 'node:fs'
import type { CDPSession, Page } from 'playwright-core'
import { disentangle, type MessagePortMain, type NearEnd } from './ports.ts'
import { isolatedSide, mainWorldSide } from './page-side.ts'
import { encode, revive, type FromPage, type ToPage } from './utility-messages.ts'

const WORLD = 'electron-preload'

export interface PageBridge {
  /** Sends `channel` to `ipcRenderer` of the current page, and transfers ports to the page. */
  send(channel: string, args: readonly unknown[], ports: readonly MessagePortMain[]): void
}

/** Runs the preload script in an isolated world of `page`, before each document. */
export async function bridgePage(
  page: Page,
  preload: string,
  onIpc: (channel: string, args: readonly unknown[]) => void,
): Promise<PageBridge> {
  const session = await page.context().newCDPSession(page)
  const ports = new Map<number, NearEnd>()
  let lastPort = 0
  let context: number | undefined

  session.on('Runtime.executionContextCreated', ({ context: created }) => {
    if (created.name === WORLD) context = created.id
  })
  const forget = (): void => {
    context = undefined
    // The document is gone, including its ends of the ports.
    for (const port of ports.values()) port.close()
    ports.clear()
  }
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    if (executionContextId === context) forget()
  })
  session.on('Runtime.executionContextsCleared', forget)
  page.on('close', forget)
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== '__doubleToMain') return
    const message: FromPage = JSON.parse(payload, revive)
    if (message.kind === 'ipc') onIpc(message.channel, message.args)
    else ports.get(message.port)?.send(message.data)
  })

  await session.send('Runtime.enable')
  await session.send('Page.enable')
  await session.send('Runtime.addBinding', { name: '__doubleToMain', executionContextName: WORLD })
  await addScript(session, `(${mainWorldSide.toString()})()`, undefined)
  if (existsSync(preload)) {
    const source = readFileSync(preload, 'utf8')
    await addScript(
      session,
      `(${isolatedSide.toString()})(${encode.toString()}, ${revive.toString()}, function (require, module, exports) {${source}\n})`,
      WORLD,
    )
  } else {
    process.stderr.write(`Unable to load preload script: ${preload}\n`)
  }

  function tellPage(message: ToPage): void {
    if (context === undefined) return
    session
      .send('Runtime.callFunctionOn', {
        executionContextId: context,
        functionDeclaration: 'function (text) { globalThis.__doubleFromMain(text) }',
        arguments: [{ value: encode(message) }],
      })
      // The page may close at any time, which closes its ports.
      .catch(() => undefined)
  }

  return {
    send(channel, args, transfer) {
      const ids = disentangle(transfer).map((port) => {
        lastPort += 1
        const id = lastPort
        // The page gets the port before its queued messages.
        queueMicrotask(() => {
          ports.set(
            id,
            port.moveTo({
              deliver: (data) => tellPage({ kind: 'port', port: id, data }),
              close: () => tellPage({ kind: 'port-closed', port: id }),
            }),
          )
        })
        return id
      })
      tellPage({ kind: 'ipc', channel, args, ports: ids })
    },
  }
}

async function addScript(
  session: CDPSession,
  source: string,
  world: string | undefined,
): Promise<void> {
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source,
    ...(world === undefined ? {} : { worldName: world }),
  })
}

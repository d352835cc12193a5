import { feedLimit, type LogImport } from '#contract/logs.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { counted } from '../../../ui/text/numbers.ts'
import { CallError, sentence } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'
import { say } from '../../../platform/toasts.ts'
import { logAddress } from '../../../routes/logs.ts'
import { refuse, useImporting } from './store.ts'

/** What is needed of a file: the browser's own, or a made-up one. */
export interface Fed {
  readonly name: string
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** As the contract takes a name. */
const longestName = 300

/**
 * Hands a file over in pieces, one in memory at a time, and waits for what came of it. What is wrong with its content is in the import; throws
 * where it cannot be begun or read, and then nothing of it is kept.
 */
export async function feedFile(client: Client, file: Fed): Promise<LogImport> {
  const { id } = await client.call('logs.import', {
    from: { kind: 'feed', name: file.name.slice(0, longestName), size: file.size },
  })
  try {
    await feedPieces(client, id, file)
  } catch (error) {
    // It has ended by itself, since it was cancelled or cannot be read: what came of it says which.
    if (!(error instanceof CallError && error.code === 'run_over')) {
      await client.call('logs.cancelImport', { id }).catch(() => undefined)
      throw error
    }
  }
  return client.call('logs.imported', { id })
}

async function feedPieces(client: Client, id: number, file: Fed): Promise<void> {
  for (let from = 0; ; from += feedLimit) {
    const to = Math.min(from + feedLimit, file.size)
    const bytes = new Uint8Array(await file.slice(from, to).arrayBuffer())
    const end = to === file.size
    await client.call('logs.feed', { id, bytes, end })
    if (end) return
  }
}

/** Each file once the one before is in, however often this is called. */
const inTurn = createMutex()

/** Imports files one after another. One alone is opened when it is in, unless the user has gone elsewhere meanwhile; else that is offered. */
export function takeFiles(client: Client, files: readonly Fed[]): void {
  if (files.length === 0) return
  const begunAt = location.hash
  const { waiting } = useImporting.getState()
  useImporting.setState({ waiting: waiting + files.length })
  const run = async (): Promise<void> => {
    const done: LogImport[] = []
    for (const file of files) {
      useImporting.setState((before) => ({ waiting: before.waiting - 1 }))
      const taken = await takeFile(client, file)
      if (taken?.logId != null) done.push(taken)
    }
    tellOf(done, begunAt)
  }
  void inTurn(run)
}

async function takeFile(client: Client, file: Fed): Promise<LogImport | null> {
  try {
    return await feedFile(client, file)
  } catch (error) {
    refuse(file.name, whyNot(error))
    return null
  }
}

function whyNot(error: unknown): string {
  if (error instanceof CallError) return sentence(error)
  return 'It could not be read. Is it a folder, or was it moved or changed meanwhile? Choose it again.'
}

/** Has the host ask for a file, where it has dialogs. */
export async function askForFile(client: Client): Promise<void> {
  const begunAt = location.hash
  try {
    const { id } = await client.call('logs.import', { from: { kind: 'ask' } })
    const done = await client.call('logs.imported', { id })
    if (done.logId !== null) tellOf([done], begunAt)
  } catch (error) {
    // Asked, the user has changed their mind.
    if (error instanceof CallError && error.code === 'run_over') return
    refuse('The file', sentence(error))
  }
}

function tellOf(done: readonly LogImport[], begunAt: string): void {
  const [first] = done
  if (first === undefined || first.logId === null) return
  const address = logAddress(first.logId)
  const alone = done.length === 1
  if (alone && first.known) {
    say('valid', `“${first.name}” was imported before. This is that log.`)
  }
  if (alone && location.hash === begunAt) {
    location.assign(address)
    return
  }
  const text = alone
    ? `“${first.name}” is imported.`
    : `${counted(done.length, 'log is', 'logs are')} imported.`
  say('valid', text, {
    action: {
      label: alone ? 'Open' : 'Show',
      run: () => location.assign(alone ? address : '#/logs'),
    },
    about: 'import',
  })
}

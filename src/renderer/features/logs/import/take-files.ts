import type { LogImport } from '#contract/logs.ts'
import { counted } from '../../../components/text/numbers.ts'
import { CallError, sentence } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'
import { say } from '../../shell/toasts.ts'
import { logAddress } from '../address.ts'
import { feedFile } from './feed.ts'
import type { Fed } from './feed.ts'
import { refuse, useImporting } from './store.ts'

/** Each file once the one before is in, however often this is called. */
let last: Promise<unknown> = Promise.resolve()

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
  last = last.then(run)
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

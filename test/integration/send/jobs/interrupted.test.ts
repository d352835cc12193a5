import { expect, it } from 'vitest'
import { z } from 'zod'
import { Job, JobItem } from '#contract/sending.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { interfaceClient, type InterfaceClient } from '#test/support/interface-client.ts'
import { spawnListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { deliverNumbered, numbers, openReceiver } from './receiver.ts'

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)

/** The calls of a Tabscope in a separate process. */
interface Far {
  readonly client: InterfaceClient
  job(id: number): Promise<Job>
  items(id: number): Promise<JobItem[]>
  call<T>(name: string, input: unknown, output: z.ZodType<T>): Promise<T>
}

async function far(tab: Listening): Promise<Far> {
  const client = await interfaceClient(tab.ready.ui ?? '')
  await client.hello()
  const call: Far['call'] = async (name, input, output) => {
    const reply = await client.call(name, input)
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`)
    return output.parse(reply.output)
  }
  return {
    client,
    call,
    job: (id) => call('jobs.get', { id }, Job),
    items: (id) => call('jobs.items', { id, limit: 1000 }, z.array(JobItem)),
  }
}

const rounds = [
  { how: 'concurrent', concurrency: 8, uncertain: 'skip' },
  { how: 'one_by_one', uncertain: 'skip' },
  { how: 'concurrent', concurrency: 32, uncertain: 'send' },
] as const

const killed = full ? rounds : rounds.slice(0, 1)

it('killed while running: nothing is sent twice unasked, and items that were not started are sent once', async () => {
  const count = 200
  await using folder = ownedFolder()
  const serve = () => spawnListening(folder.path, ['serve', '--no-open', '--secret', 'a secret'])
  {
    await using tab = await openTestEngine({ dataDir: folder.path, secret: 'a secret' })
    await deliverNumbered(tab.endpoint, count)
  }
  for (const { uncertain, ...pace } of killed) {
    await using receiver = await openReceiver()
    let id = 0
    {
      await using tab = await serve()
      const to = await far(tab)
      const started = await to.call('jobs.start', { filter: '', url: receiver.url, pace }, Job)
      id = started.id
      expect(started.total).toBe(count)
      await until('some of them', () => receiver.received.length > count / 6)
      tab.child.kill('SIGKILL')
      await tab.ended
    }
    const before = new Set(receiver.received)
    expect(before.size, 'once each').toBe(receiver.received.length)
    expect(before.size, 'in the middle').toBeLessThan(count)

    await using tab = await serve()
    const to = await far(tab)
    const interrupted = await to.job(id)
    expect(interrupted).toMatchObject({ state: 'interrupted', inFlight: 0 })
    const items = await to.items(id)
    const in_ = (state: JobItem['state']): number[] =>
      items.filter((item) => item.state === state).map(({ position }) => position)
    // Received requests are marked as sent or uncertain; waiting ones were not received.
    expect(in_('waiting').filter((position) => before.has(position))).toEqual([])
    expect(in_('ok').filter((position) => !before.has(position))).toEqual([])
    expect(interrupted.uncertain).toBe(in_('uncertain').length)
    expect(receiver.received.length, 'nothing goes out unasked').toBe(before.size)

    await to.call('jobs.resume', { id, uncertain }, Job)
    const job = await until('the end', async () => {
      const now = await to.job(id)
      return now.state === 'done' ? now : null
    })
    const times = Map.groupBy(receiver.received, (number) => number)
    const twice = numbers(0, count).filter((number) => (times.get(number)?.length ?? 0) > 1)
    const never = numbers(0, count).filter((number) => !times.has(number))
    const doubtful = new Set(in_('uncertain'))
    if (uncertain === 'skip') {
      expect(twice).toEqual([])
      expect(never.filter((number) => !doubtful.has(number))).toEqual([])
      expect(job).toMatchObject({ ok: count - doubtful.size, skipped: doubtful.size })
    } else {
      // Sent again on request: all are received, and only uncertain ones may be received twice.
      expect(never).toEqual([])
      expect(twice.filter((number) => !doubtful.has(number))).toEqual([])
      expect(job).toMatchObject({ ok: count, skipped: 0 })
    }
    if (pace.how === 'one_by_one')
      expect(receiver.received, 'in order, over the crash').toEqual(sorted(receiver.received))
    to.client.socket.terminate()
    tab.child.kill('SIGKILL')
    await tab.ended
  }
})

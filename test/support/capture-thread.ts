import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import {
  defaultForward,
  type ForwardTarget,
  type ResponseRule,
  type RuleUse,
} from '#contract/endpoint-rules.ts'
import { createCapture, type Capture } from '#engine/capture/capture.ts'
import {
  journalDir,
  type AnsweredRecord,
  type JournaledDelivery,
} from '#engine/capture/journal-format.ts'
import { JournalReader } from '#engine/capture/journal-reader.ts'
import { defaultLimits, type CaptureLimits, type CaptureConfig } from '#engine/capture/messages.ts'
import { Progress } from '#engine/capture/progress.ts'
import { OwnPorts, type PassRequest, type PassResponse } from '#engine/sending/messages.ts'

export interface Journaled {
  readonly id: number
  readonly delivery: JournaledDelivery
  readonly status: number | null
  readonly reason: string | null
  readonly own: 'forward' | 'send' | null
  readonly answeredBy: 'rule' | 'target' | null
  readonly via: 'tunnel' | null
  readonly late: AnsweredRecord | null
}

/** The built capture thread with a real listener and journal. The test replaces the store and the sender. */
export interface TestCapture extends AsyncDisposable {
  readonly capture: Capture
  readonly port: number
  readonly path: string
  readonly ownPorts: OwnPorts
  /** Shared with the capture thread. Nothing is stored, so `storedPosition` is 0 until the test sets it. */
  readonly progress: Progress
  readonly probeKey: Uint8Array
  /** Deliveries forwarded to the sender, oldest first. */
  readonly questions: readonly PassRequest[]
  answerPass(answer: PassResponse): void
  /** Simulates that the sender thread has ended. */
  closeSender(): void
  /** Reported rule uses, oldest first. */
  readonly reportedUses: readonly (readonly RuleUse[])[]
  setRules(rules: readonly ResponseRule[], forwards?: readonly ForwardTarget[]): Promise<void>
  journal(): Journaled[]
}

export const capturePath = '/hooks/sandbox'

const built = new URL('../../out/main/capture-thread.js', import.meta.url)

export async function openCapture(limits: Partial<CaptureLimits> = {}): Promise<TestCapture> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tabscope-test-'))
  const dir = journalDir(folder)
  const progress = new Progress()
  const ownPorts = new OwnPorts()
  const probeKey = new Uint8Array(randomBytes(32))
  const { port1, port2 } = new MessageChannel()
  const questions: PassRequest[] = []
  port2.on('message', (question: PassRequest) => questions.push(question))
  const reportedUses: RuleUse[][] = []
  const configOf = (
    responses: readonly ResponseRule[],
    forwards: readonly ForwardTarget[],
  ): CaptureConfig => ({
    routes: [
      {
        id: 1,
        name: 'Sandbox',
        path: capturePath,
        brand: 'Service',
        applicationId: '',
        customHeaders: [],
        secrets: [],
        responses,
        forwards,
      },
    ],
    fallbackBrand: 'Service',
    limits: { ...defaultLimits, ...limits },
  })
  const capture = createCapture(
    built,
    {
      journalDir: dir,
      journalEnd: 0,
      firstId: 1,
      shared: progress.buffer,
      config: configOf([], []),
      ownPorts: ownPorts.buffer,
      probeKey,
      sender: port1,
      uses: [],
    },
    {
      failing: () => undefined,
      used: (uses) => reportedUses.push(uses),
      died: (error) => {
        throw error
      },
    },
  )
  const port = await capture.api.call('listen', 0)
  return {
    capture,
    port,
    path: capturePath,
    ownPorts,
    progress,
    probeKey,
    questions,
    reportedUses,
    answerPass: (answer) => port2.postMessage(answer),
    closeSender: () => port2.close(),
    setRules: (rules, forwards = []) => capture.configure(configOf(rules, forwards)),
    journal: () => readJournal(dir, progress.position),
    [Symbol.asyncDispose]: async () => {
      await capture.close()
      port2.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readJournal(dir: string, upTo: number): Journaled[] {
  const reader = new JournalReader(dir, 0)
  const found = new Map<number, Journaled>()
  const lost = new Set<number>()
  for (;;) {
    const { records } = reader.next(upTo)
    if (records.length === 0) break
    for (const record of records) {
      switch (record.kind) {
        case 'delivery': {
          const { meta } = record.delivery
          const [id, , , , , , , , , , reason, , status, , , , , , , , own, answeredBy, via] = meta
          found.set(id, {
            id,
            delivery: record.delivery,
            status,
            reason,
            own: own ?? null,
            answeredBy: answeredBy ?? null,
            via: via ?? null,
            late: null,
          })
          break
        }
        case 'answers':
          for (const id of record.answers.lost) lost.add(id)
          break
        case 'answered': {
          const one = found.get(record.answered.id)
          if (!one || one.late) throw new Error(`unexpected late response`)
          found.set(one.id, { ...one, late: record.answered })
          break
        }
      }
    }
  }
  reader.close()
  return [...found.values()].map((one) =>
    lost.has(one.id) && one.status !== null ? { ...one, status: null } : one,
  )
}

let nextId = 1

/** Creates a rule with a new ID. By default it always responds with 500. */
export function responseRule(overrides: Partial<Omit<ResponseRule, 'id'>> = {}): ResponseRule {
  nextId += 1
  return {
    id: nextId,
    endpointId: 1,
    type: null,
    response: { kind: 'status', status: 500, headers: [], body: '' },
    delayMs: 0,
    when: { kind: 'always' },
    enabled: true,
    ...overrides,
  }
}

export function withStatus(status: number): ResponseRule['response'] {
  return { kind: 'status', status, headers: [], body: '' }
}

/** Creates a target whose response is returned. */
export function passThrough(overrides: Partial<ForwardTarget> = {}): ForwardTarget {
  nextId += 1
  return {
    ...defaultForward,
    id: nextId,
    endpointId: 1,
    url: 'http://127.0.0.1:9/',
    temporary: false,
    mode: 'return',
    ...overrides,
    types: overrides.types ?? [],
  }
}

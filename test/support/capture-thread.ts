import { randomBytes } from 'node:crypto'
import { MessageChannel } from 'node:worker_threads'
import {
  defaultForward,
  type ForwardTarget,
  type ResponseRule,
  type RuleUse,
} from '#contract/endpoint-rules.ts'
import { createCapture, type Capture } from '#engine/receiving/listener/capture.ts'
import type {
  FromWriter,
  Group,
  LateResponse,
  NewDelivery,
  ToWriter,
} from '#engine/deliveries/groups.ts'
import {
  defaultLimits,
  notHolding,
  type CaptureLimits,
  type CaptureConfig,
  OwnPorts,
  type PassRequest,
  type PassResponse,
} from '#engine/receiving/listener/messages.ts'
import { Progress } from '#engine/platform/progress.ts'

/** A delivery as the writer knows it. */
export interface Captured extends NewDelivery {
  readonly id: number
  readonly late: LateResponse | null
}

/** The built capture thread with a real listener. The test replaces the store and the sender. */
export interface TestCapture extends AsyncDisposable {
  readonly capture: Capture
  readonly port: number
  readonly path: string
  readonly ownPorts: OwnPorts
  readonly probeKey: Uint8Array
  /** Deliveries forwarded to the sender, oldest first. */
  readonly questions: readonly PassRequest[]
  answerPass(answer: Omit<PassResponse, 'kind'>): void
  /** Simulates that the sender thread has ended. */
  closeSender(): void
  /** Reported rule uses, oldest first. */
  readonly reportedUses: readonly (readonly RuleUse[])[]
  setRules(rules: readonly ResponseRule[], forwards?: readonly ForwardTarget[]): Promise<void>
  /** What the writer got. It replies at once. */
  captured(): Captured[]
}

export const capturePath = '/hooks/sandbox'

const built = new URL('../../out/main/capture-thread.js', import.meta.url)

export async function openCapture(limits: Partial<CaptureLimits> = {}): Promise<TestCapture> {
  const ownPorts = new OwnPorts()
  const probeKey = new Uint8Array(randomBytes(32))
  const { port1, port2 } = new MessageChannel()
  const writer = new MessageChannel()
  const groups: StoredGroup[] = []
  let nextDelivery = 1
  const reply = (message: FromWriter): void => writer.port2.postMessage(message)
  writer.port2.on('message', (message: ToWriter) => {
    if (message.kind === 'probe') return reply({ kind: 'probed', failed: null })
    const firstId = nextDelivery
    groups.push({ ...message.group, firstId })
    nextDelivery += message.group.deliveries.length
    if (nextDelivery > firstId) reply({ kind: 'stored', firstId, failed: null })
  })
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
      writer: writer.port1,
      shared: new Progress().buffer,
      config: configOf([], []),
      ownPorts: ownPorts.buffer,
      probeKey,
      sender: port1,
      holding: notHolding,
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
    probeKey,
    questions,
    reportedUses,
    answerPass: (answer) => port2.postMessage({ kind: 'pass', ...answer }),
    closeSender: () => port2.close(),
    setRules: (rules, forwards = []) => capture.configure(configOf(rules, forwards)),
    captured: () => capturedIn(groups),
    [Symbol.asyncDispose]: async () => {
      await capture.close()
      port2.close()
      writer.port2.close()
    },
  }
}

interface StoredGroup extends Group {
  readonly firstId: number
}

function capturedIn(groups: readonly StoredGroup[]): Captured[] {
  const found = new Map<number, Captured>()
  for (const { firstId, deliveries, responses, late } of groups) {
    for (const id of responses.flatMap(({ lost }) => lost)) {
      const one = found.get(id)
      if (one) found.set(id, { ...one, status: null })
    }
    for (const response of late) {
      const one = found.get(response.id)
      if (!one || one.late) throw new Error('unexpected late response')
      found.set(one.id, { ...one, late: response })
    }
    for (const [index, delivery] of deliveries.entries())
      found.set(firstId + index, { ...delivery, id: firstId + index, late: null })
  }
  return [...found.values()]
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

import type { Checks } from '#catalogue/raw-body-check.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import typescript, { propertyName } from '../languages/typescript.ts'
import type { PayloadModel } from '../model.ts'
import { eventComment, lineComment } from '../source-text.ts'
import { readme } from './readme.ts'

interface NodeProject {
  readonly label: string
  /** `receiver`: imports `receive` for the code of a check. */
  files(receiver: (path: string) => Checks): readonly GeneratedFile[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly tsconfig?: Readonly<Record<string, unknown>>
  readonly ignored?: readonly string[]
  /** Modules are also loaded by a build, without the secret. */
  readonly isBuilt?: boolean
}

/** For code that Node.js runs as it is. */
const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** TypeScript that Node.js runs as it is, or that a framework builds. */
export function nodeProject(model: PayloadModel, project: NodeProject): GeneratedFile[] {
  const { label, dependencies, isBuilt = false } = project
  const types = typescript.types(model)
  return [
    {
      path: 'package.json',
      text: json({
        name: 'webhook-handler',
        private: true,
        type: 'module',
        engines: { node: '>=22.18' },
        scripts: project.scripts ?? { start: 'node server.ts', typecheck: 'tsc' },
        dependencies,
        devDependencies: {
          '@types/node': '^24.10.0',
          ...project.devDependencies,
          typescript: '^7.0.0',
        },
      }),
    },
    {
      path: 'tsconfig.json',
      text: json(project.tsconfig ?? tsconfig),
    },
    {
      path: '.gitignore',
      text: ['node_modules', ...(project.ignored ?? []), '.env', '*.log', ''].join('\n'),
    },
    ...project.files((path) => ({ imports: '', text: `import { receive } from '${path}'\n` })),
    { path: 'webhooks.ts', text: receiver(types.path, isBuilt) },
    { path: 'event-handlers.ts', text: eventHandlers(model) },
    types,
    readme(model, {
      label,
      commands: ['npm install', ...(isBuilt ? ['npm run build'] : []), 'npm start'],
      eventHandlers: 'event-handlers.ts',
      receiver: 'webhooks.ts',
      types: { path: types.path, language: typescript.id },
    }),
  ]
}

function eventHandlers({ events }: PayloadModel): string {
  return `import type { Handlers } from './webhooks.ts'

/** Called once for each event, after the response, in the order in which events were received. An error is logged. */
export const handlers: Handlers = {
${events
  .map(
    (
      event,
    ) => `${lineComment(eventComment(event), '  // ', 100)}  async ${propertyName(event.type)}(event) {},
`,
  )
  .join('\n')}}
`
}

function receiver(types: string, isBuilt: boolean): string {
  const stop = `if (secret === '') throw new Error('Set WEBHOOK_SECRET.')\n`
  return `import { createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { handlers } from './event-handlers.ts'
import { isWebhookEvent, parseEvent, type WebhookEvent } from './${types}'

export type Handlers = {
  [Type in WebhookEvent['type']]: (event: WebhookEvent & { type: Type }) => Promise<void>
}

const secret = process.env.WEBHOOK_SECRET ?? ''
const previousSecret = process.env.WEBHOOK_PREVIOUS_SECRET ?? ''
${isBuilt ? '' : stop}
/** Verifies the bytes of a request as received. Returns the status to respond with. */
export function receive(rawBody: Buffer, signature: string | null | undefined): 204 | 400 | 401 {
${isBuilt ? `  // Not when this module is loaded: a build does that without the secret.\n  ${stop}` : ''}  const isAuthentic =
    matches(secret, rawBody, signature) ||
    (previousSecret !== '' && matches(previousSecret, rawBody, signature))
  if (!isAuthentic) return 401
  const event = parseEvent(rawBody.toString())
  if (event === null) return 400
  if (isWebhookEvent(event)) accept(event)
  else console.log(\`Ignored an event of the unknown type \${JSON.stringify(event.type)}.\`)
  return 204
}

function matches(key: string, rawBody: Buffer, signature: string | null | undefined): boolean {
  const expected = Buffer.from(createHmac('sha256', key).update(rawBody).digest('hex'))
  const given = Buffer.from(signature ?? '')
  // timingSafeEqual throws when the lengths differ.
  return given.length === expected.length && timingSafeEqual(given, expected)
}

// In production, use a table with a unique key instead: this forgets everything at a restart.
const seen = new Set<string>()
const maxSeen = 100_000

// In production, use a queue that survives a restart.
let queue = Promise.resolve()

function accept(event: WebhookEvent): void {
  // There is no event ID.
  const target = event.targetUuid ?? event.targetId ?? null
  const location = event.locationUuid ?? event.locationId ?? null
  const key = JSON.stringify([event.type, target, location, event.createdAt])
  if (seen.has(key)) return
  seen.add(key)
  const [oldest] = seen
  if (seen.size > maxSeen && oldest !== undefined) seen.delete(oldest)
  queue = queue.then(() => processEvent(key, event))
}

async function processEvent(key: string, event: WebhookEvent): Promise<void> {
  await setImmediate() // The response is sent first.
  try {
    // The compiler cannot know that the event and its function have the same type.
    const handle = handlers[event.type] as (event: WebhookEvent) => Promise<void>
    await handle(event)
    console.log(\`Processed \${key}\`)
  } catch (error) {
    seen.delete(key) // It is processed if it is sent again.
    console.error(\`Failed to process \${key}:\`, error)
  }
}
`
}

import { hasCredentials } from '#shared/text/address.ts'
import * as z from 'zod'
import { slugPattern } from '#contract/constants.ts'
import { AppError } from '../../platform/errors.ts'
import { noEndpoint, receiverPattern } from './format.ts'

export const Slug = z.string().regex(slugPattern)

const Access = z.object({
  /** Of the relay. */
  name: z.string().min(1).max(80),
  /** `tls://relay.example.com:4222`, on loopback also `nats://` */
  servers: z.array(z.string().max(300)).min(1).max(10),
  /** An nkey seed. Null: the server needs none. */
  seed: z.string().max(200).nullable(),
  /** PEM: only certificates of this CA are accepted. Null: those that the system trusts. */
  ca: z.string().max(10_000).nullable(),
})

/** For a desktop. */
export const Invitation = Access.extend({
  tabscope: z.literal('relay invitation'),
  version: z.literal(1),
  user: z.string().min(1).max(80),
  /** With `*` all, also later ones; the others are those of now. */
  endpoints: z
    .array(z.union([Slug, z.literal(['*', noEndpoint])]))
    .min(1)
    // All and 1,000.
    .max(1001),
})
export type Invitation = z.infer<typeof Invitation>

/** For `tabscope receive --relay FILE`. */
export const ReceiverFile = Access.extend({
  tabscope: z.literal('relay receiver'),
  version: z.literal(1),
  receiver: z.string().regex(receiverPattern),
  endpoints: z.array(
    // Strict: a receiver has no other response rules.
    z.strictObject({
      slug: Slug,
      /** Of the response to every delivery. */
      status: z.int().min(200).max(599).default(200),
    }),
  ),
  /** `http://127.0.0.1:8222`; null: not asked for its sync interval. */
  monitor: z.string().nullable(),
})
export type ReceiverFile = z.infer<typeof ReceiverFile>

const prefix = 'tabscope-relay:'

/** One line without spaces. */
export function encodeInvitation(invitation: Invitation): string {
  return prefix + Buffer.from(JSON.stringify(invitation)).toString('base64url')
}

/** White space and line breaks, as of a chat or a mail, are ignored. Throws `bad_input` without any part of the text. */
export function decodeInvitation(text: string): Invitation {
  const line = text.replaceAll(/[\s"'`]/g, '')
  if (!line.startsWith(prefix)) {
    throw new AppError(
      'bad_input',
      `This is not an invitation: it must start with "${prefix}". Copy the whole line that "tabscope relay invite" printed.`,
    )
  }
  const parsed = Invitation.safeParse(
    jsonOf(Buffer.from(line.slice(prefix.length), 'base64url').toString('utf8')),
  )
  if (parsed.success) return withoutCredentials(parsed.data)
  throw new AppError(
    'bad_input',
    'The invitation is incomplete, or of a later version. Copy the whole line that "tabscope relay invite" printed, or update Tabscope.',
  )
}

/** `file`: its name, for errors. Throws `bad_input`, without a part of the text, which has a key. */
export function readReceiverFile(file: string, text: string): ReceiverFile {
  const parsed = ReceiverFile.safeParse(jsonOf(text))
  if (parsed.success) return withoutCredentials(parsed.data)
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') ?? ''
  throw new AppError(
    'bad_input',
    issue?.code === 'unrecognized_keys'
      ? `${where} in ${file} has ${issue.keys.map((key) => `"${key}"`).join(', ')}. A receiver responds with one "status" to every delivery: response rules and forwarding are for a Tabscope that stores deliveries itself.`
      : `${file} is not a receiver file of this version${where === '' ? '' : `: see ${where}`}. Use the file that "tabscope relay init" wrote for a receiver; an invitation is for "tabscope relay add".`,
  )
}

/** Addresses are shown and stored; a seed is not. */
function withoutCredentials<T extends z.infer<typeof Access>>(access: T): T {
  if (!access.servers.some(hasCredentials)) return access
  throw new AppError(
    'bad_input',
    'The address of the relay has a user or a password. Use an invitation or a receiver file with a key.',
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

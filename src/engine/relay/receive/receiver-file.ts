import type { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import { ReceiverFile } from '../files.ts'
import { jsonPosition } from '#shared/text/errors.ts'

/** `file`: its name, for errors. Throws `bad_input`, without a part of the text, which has a key. */
export function readReceiverFile(file: string, text: string): ReceiverFile {
  if (text.trimStart().startsWith('tabscope-relay:')) throw isInvitation(file)
  const content = contentOf(file, text)
  const kind = typeof content === 'object' && content !== null && 'tabscope' in content
  if (!kind) throw refused(file, 'is not a receiver file.')
  if (content.tabscope === 'relay invitation') throw isInvitation(file)
  if (content.tabscope !== 'relay receiver') throw refused(file, 'is a file for something else.')
  if ('version' in content && content.version !== 1) {
    throw new AppError('bad_input', `${file} is of a later version. Update Tabscope.`)
  }
  const parsed = ReceiverFile.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw issue ? problemIn(file, issue) : refused(file, 'is not a receiver file.')
}

function contentOf(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refused(file, `is not JSON${jsonPosition(error)}.`)
  }
}

function problemIn(file: string, issue: z.core.$ZodIssue): AppError {
  const [first, index] = issue.path
  if (first === 'endpoints' && issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `"${key}"`).join(', ')
    return new AppError(
      'bad_input',
      `Endpoint ${Number(index) + 1} in ${file} has ${keys}. A receiver responds with one status to every delivery, which "status" sets: response rules and forwarding are for a Tabscope that stores deliveries itself.`,
    )
  }
  return refused(file, `has a wrong or missing value for ${issue.path.join('.')}.`)
}

function refused(file: string, what: string): AppError {
  return new AppError(
    'bad_input',
    `${file} ${what} Use the file that "tabscope relay init" wrote for a receiver.`,
  )
}

function isInvitation(file: string): AppError {
  return new AppError(
    'bad_input',
    `${file} is an invitation for a desktop, which may only read deliveries. Use it with "tabscope relay add"; a receiver needs the file that "tabscope relay init" wrote for it.`,
  )
}

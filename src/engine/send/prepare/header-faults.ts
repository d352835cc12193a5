import { validateHeaderName, validateHeaderValue } from 'node:http'
import { shownName } from './shown-name.ts'

export interface HeaderFault {
  readonly code: 'header.name' | 'header.value'
  /** Names the header, and never its value. */
  readonly message: string
}

/** Why a header cannot be sent as it is written (RFC 9110, 5.1 and 5.5); null when it can. */
export function headerFault(name: string, value: string): HeaderFault | null {
  try {
    validateHeaderName(name)
  } catch {
    return {
      code: 'header.name',
      message:
        name === ''
          ? 'A header has no name. Write one, or take the header away.'
          : `${shownName(name)} is no name of a header. Use letters, digits and hyphens.`,
    }
  }
  try {
    validateHeaderValue(name, value)
  } catch {
    return {
      code: 'header.value',
      message: `The value of the header ${name} holds a character that cannot be sent, such as a line break or one beyond Latin-1. Take it out.`,
    }
  }
  return null
}

/** Whether a text is one of the words that methods are made of (RFC 9110, 9.1). */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)
}

export const connectFault =
  'CONNECT asks a proxy for a tunnel, and is no request for an answer. Use another method.'

import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { RelayView } from '#contract/relay.ts'
import { AppError } from '../platform/errors.ts'
import { decodeInvitation } from './files.ts'

/** The relays that this desktop follows. */
export class Relays {
  views(): RelayView[] {
    return []
  }

  read(invitation: string): CallOutput<'relay.read'> {
    const { name, user, servers, endpoints } = decodeInvitation(invitation)
    return { name, user, servers, endpoints, missing: [], replaces: null }
  }

  async add({ invitation }: ParsedInput<'relay.add'>): Promise<RelayView> {
    decodeInvitation(invitation)
    throw notFound()
  }

  async update(_: ParsedInput<'relay.update'>): Promise<RelayView> {
    throw notFound()
  }

  async connect(_: number): Promise<RelayView> {
    throw notFound()
  }

  async dismiss(_: number, __: 'away' | 'removed'): Promise<RelayView> {
    throw notFound()
  }

  async forget(_: number, __: boolean): Promise<{ deleted: number }> {
    throw notFound()
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'This relay does not exist.')
}

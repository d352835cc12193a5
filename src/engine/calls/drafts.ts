import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { noDraft } from '../store/sending/no-draft.ts'

export async function save(
  context: Context,
  { id, name, content }: ParsedInput<'compose.save'>,
): Promise<CallOutput<'compose.save'>> {
  const at = context.clock.now()
  const fields = { id: id ?? null, name, content, at }
  const saved = await context.store.writer.call('writeDraft', fields)
  await tell(context)
  return saved
}

export async function list({ store }: Context): Promise<CallOutput<'compose.list'>> {
  return store.reader.call('drafts')
}

export async function get(
  { store }: Context,
  { id }: ParsedInput<'compose.get'>,
): Promise<CallOutput<'compose.get'>> {
  return (await store.reader.call('draft', id)) ?? noDraft(id)
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'compose.remove'>,
): Promise<CallOutput<'compose.remove'>> {
  await context.store.writer.call('deleteDraft', id)
  await tell(context)
  return {}
}

async function tell({ bus, store }: Context): Promise<void> {
  bus.push('drafts.changed', await store.reader.call('drafts'))
}

import { useState } from 'react'
import { describeType } from '#catalogue/field-type.ts'
import type { CallOutput } from '#contract/calls.ts'
import type { FieldNotice, JsonKind } from '#contract/deliveries.ts'
import { formatCount } from '#shared/text/format.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useEditable } from '../../state/scope.ts'
import { Button } from '../../ui/Button.tsx'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'
import { TypeName } from './ChangeList.tsx'
import { DeliveryMoment, filterForField, FilterLink } from './links.tsx'

type Fields = CallOutput<'deliveries.fields'>

const initialNotices = 8

const kindTexts = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
  array: 'list',
} as const satisfies Record<JsonKind, string>

/** What changed in payloads without an announcement, until the user dismisses it. */
export function FieldNotices({ notices }: Pick<Fields, 'notices'>) {
  const client = useClient()
  const editable = useEditable()
  const [all, setAll] = useState(false)
  const dismiss = useAction(async () => {
    await client.call('deliveries.dismissNotices', {})
  })
  if (notices.length === 0) return null
  const visible = all ? notices : notices.slice(0, initialNotices)
  return (
    <Stack as="section" gap={4} pad={[6, 6]} className="plain-card" aria-labelledby="notices">
      <h2 id="notices">Payload changes</h2>
      <Text as="p" tone="mid">
        Check that your handler ignores new fields, works without absent ones, and accepts new
        types.
      </Text>
      {dismiss.message !== null && <Note tone="invalid">{dismiss.message}</Note>}
      <Stack as="ul" lined className="changes notices">
        {visible.map((notice) => (
          <li key={`${notice.type} ${notice.path} ${notice.change} ${notice.kind}`}>
            <span className="tag" data-tone={notice.change === 'appeared' ? 'info' : 'warning'}>
              {titles[notice.change]}
            </span>
            <p>
              <Sentence notice={notice} />
            </p>
          </li>
        ))}
      </Stack>
      <Row wrap gap={4}>
        {visible.length < notices.length && (
          <Button onClick={() => setAll(true)}>
            Show {formatCount(notices.length - visible.length)} more
          </Button>
        )}
        {editable && (
          <Button disabled={dismiss.busy} onClick={() => dismiss.start()}>
            Dismiss all
          </Button>
        )}
      </Row>
    </Stack>
  )
}

const titles = {
  appeared: 'New field',
  absent: 'Absent',
  type: 'New type',
} as const satisfies Record<FieldNotice['change'], string>

function Sentence({ notice }: { readonly notice: FieldNotice }) {
  const { type, path, change, kind, documented, id, at } = notice
  const filter = filterForField(type, path, change !== 'absent')
  return (
    <>
      <Path path={path} /> of <TypeName type={type} />:{' '}
      {change === 'absent' ? 'last' : change === 'type' && kind ? kindTexts[kind] : 'first'}
      {change === 'type' && ' for the first time'} in <DeliveryMoment id={id} at={at} word="on " />.{' '}
      {documented ? `Documented as ${documentedText(documented)}.` : 'Not documented.'}{' '}
      {isHidden(path) && 'Its name may be a value, so it is not stored. '}
      {filter !== null && (
        <FilterLink filter={filter}>
          Show deliveries {change === 'absent' ? 'without' : 'with'} it
        </FilterLink>
      )}
    </>
  )
}

function Path({ path }: { readonly path: string }) {
  return (
    <code
      className="mono"
      title={isHidden(path) ? 'Names that may be values are not stored.' : undefined}
    >
      <Shown text={truncate(path, 120)} />
    </code>
  )
}

function isHidden(path: string): boolean {
  return /(?:^|\.)\*/.test(path)
}

function documentedText({ type, optional }: NonNullable<FieldNotice['documented']>): string {
  return `${describeType(type)}${optional ? ', optional' : ''}`
}

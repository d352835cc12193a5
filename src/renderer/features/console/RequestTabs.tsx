import { formatSize } from '#shared/text/format.ts'
import { Tabs } from 'radix-ui'
import type { ApiParameter } from '#contract/api.ts'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import type { Draft } from './draft.ts'
import { editDraft } from './store.ts'
import { focusTab } from '../../ui/focus.ts'
import { NamedValueRows } from '../../ui/HeaderRows.tsx'
import '../../ui/Tabs.css'
import { Icons } from '../../ui/icons.tsx'
import { Button } from '../../ui/Button.tsx'
import { useMemo } from 'react'
import { jsonFault } from '#shared/json/tokenizer.ts'
import { formatJson, lineAndColumn } from '#shared/json/format.ts'

/** Up to this many characters are checked while typing. */
const checkedUpTo = 1024 * 1024
const maxBodyLength = 4_000_000
const encoder = new TextEncoder()

interface DraftProps {
  readonly integrationId: number
  readonly draft: Draft
}

function BodyEditor({ integrationId, draft }: DraftProps) {
  const { body, headers, method } = draft
  const checked = body.length <= checkedUpTo
  const fault = useMemo(() => (checked ? jsonFault(body) : null), [body, checked])
  const valid = checked && fault === null
  const hasContentType = headers.some(
    ({ name, on }) => on && name.trim().toLowerCase() === 'content-type',
  )
  return (
    <Stack column gap={4} shrink className="body-editor">
      <textarea
        className="input mono"
        aria-label="Body"
        aria-describedby="body-check"
        placeholder="No body"
        value={body}
        maxLength={maxBodyLength}
        spellCheck={false}
        data-scrolls
        onChange={(event) => editDraft(integrationId, { body: event.target.value })}
      />
      <Row wrap align="center" gap={4} className="body-editor-foot size-s">
        <Text grow id="body-check" role="status">
          {body === '' ? (
            <span className="dim">No body</span>
          ) : !checked ? (
            <span className="dim">{size(body)}, too long to be checked</span>
          ) : fault === null ? (
            <Row as="span" inline align="start" gap={2} tone="valid">
              <Icons.Check className="margin-top-1" /> JSON, {size(body)}
            </Row>
          ) : (
            <Row as="span" inline align="start" gap={2} tone="warning">
              <Icons.TriangleAlert className="margin-top-1" /> Invalid JSON at line{' '}
              {lineAndColumn(body, fault).line}, column {lineAndColumn(body, fault).column}. Sent as
              is, {size(body)}.
            </Row>
          )}
        </Text>
        {valid && !hasContentType && body !== '' && (
          <Button
            kind="quiet"
            icon={Icons.Plus}
            onClick={() =>
              editDraft(integrationId, {
                headers: [
                  ...headers,
                  { name: 'Content-Type', value: 'application/json', on: true },
                ],
              })
            }
          >
            Content-Type
          </Button>
        )}
        <Button
          icon={Icons.AlignLeft}
          disabled={!valid}
          onClick={() => valid && editDraft(integrationId, { body: formatJson(body) ?? body })}
        >
          Format
        </Button>
      </Row>
      {body !== '' && (method === 'GET' || method === 'HEAD') && (
        <p className="field-hint">
          HTTP defines no meaning for the body of a {method} request (RFC 9110, 9.3).
        </p>
      )}
    </Stack>
  )
}

function size(text: string): string {
  return formatSize(encoder.encode(text).length)
}

const maxRows = 200
const rowTabs = [
  {
    name: 'query',
    what: 'parameter',
    hint: 'Encoded and appended to the path in this order.',
  },
  {
    name: 'headers',
    what: 'header',
    hint: 'Sent as written, in addition to the headers that HTTP requires.',
  },
] as const

/** The query, headers and body of the request. */
export function RequestTabs({ integrationId, draft }: DraftProps) {
  return (
    <Tabs.Root className="stack-flex console-parts" defaultValue="query">
      <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
        <Tabs.Trigger value="query">
          Query <Number of={countOn(draft.query)} />
        </Tabs.Trigger>
        <Tabs.Trigger value="headers">
          Headers <Number of={countOn(draft.headers)} />
        </Tabs.Trigger>
        <Tabs.Trigger value="body">
          Body{' '}
          {draft.body !== '' && <span className="console-dot" role="img" aria-label="filled" />}
        </Tabs.Trigger>
      </Tabs.List>
      {rowTabs.map(({ name, what, hint }) => (
        <Tabs.Content key={name} value={name} className="tab-page" data-scrolls>
          <Stack gap={3} className="header-rows">
            <NamedValueRows
              what={what}
              rows={draft[name]}
              maximum={maxRows}
              empty={{ name: '', value: '', on: true }}
              onChange={(rows) => editDraft(integrationId, { [name]: rows })}
            />
            <p className="field-hint">{hint}</p>
          </Stack>
        </Tabs.Content>
      ))}
      <Tabs.Content value="body" className="tab-page tab-fixed" data-scrolls>
        <BodyEditor integrationId={integrationId} draft={draft} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

function Number({ of }: { readonly of: number }) {
  return of === 0 ? null : (
    <Text tone="dim" size="xs" weight="medium">
      {of}
    </Text>
  )
}

function countOn(rows: readonly ApiParameter[]): number {
  return rows.filter(({ name, on }) => on && name.trim() !== '').length
}

import { formatSize } from '#shared/text/format.ts'
import { Tabs } from 'radix-ui'
import type { ApiParameter } from '#contract/api.ts'
import type { Draft } from './draft.ts'
import { editDraft } from './store.ts'
import { focusTab } from '#kit/focus.ts'
import { NamedValueRows } from '#parts/exchange/HeaderRows.tsx'
import '#kit/Tabs.css'
import { Icons } from '#kit/icons.tsx'
import { Button } from '#kit/Button.tsx'
import { useMemo } from 'react'
import { jsonFault } from '#shared/json/tokenizer.ts'
import { formatJson, lineAndColumn } from '#shared/json/format.ts'

/** Up to this many characters are checked while typing. */
const checkedUpTo = 1024 * 1024
const maxBodyLength = 4_000_000
const encoder = new TextEncoder()

interface DraftProps {
  integrationId: number
  draft: Draft
}

function BodyEditor({ integrationId, draft }: DraftProps) {
  const { body, headers } = draft
  const checked = body.length <= checkedUpTo
  const fault = useMemo(() => (checked ? jsonFault(body) : null), [body, checked])
  const valid = checked && fault === null
  const hasContentType = headers.some(
    ({ name, on }) => on && name.trim().toLowerCase() === 'content-type',
  )
  return (
    <div className="flex min-h-0 min-w-0 flex-col gap-4 [&_textarea]:min-h-(--measure-key) [&_textarea]:resize-none">
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
      <div className="flex min-h-(--control) flex-wrap items-center gap-4 text-s">
        <span className="flex-1" id="body-check" role="status">
          {body === '' ? (
            <span className="text-dim">No body</span>
          ) : !checked ? (
            <span className="text-dim">{size(body)}, too long to be checked</span>
          ) : fault === null ? (
            <span className="inline-flex items-start gap-2 text-valid">
              <Icons.Check className="mt-1" /> JSON, {size(body)}
            </span>
          ) : (
            <span className="inline-flex items-start gap-2 text-warning">
              <Icons.TriangleAlert className="mt-1" /> Invalid JSON at line{' '}
              {lineAndColumn(body, fault).line}, column {lineAndColumn(body, fault).column}. Sent as
              is, {size(body)}.
            </span>
          )}
        </span>
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
      </div>
    </div>
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
    <Tabs.Root className="flex min-h-0 flex-col border-r border-r-line" defaultValue="query">
      <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the request">
        <Tabs.Trigger value="query">
          Query <Number of={countOn(draft.query)} />
        </Tabs.Trigger>
        <Tabs.Trigger value="headers">
          Headers <Number of={countOn(draft.headers)} />
        </Tabs.Trigger>
        <Tabs.Trigger value="body">
          Body{' '}
          {draft.body !== '' && (
            <span className="h-3 w-3 rounded-[50%] bg-accent" role="img" aria-label="filled" />
          )}
        </Tabs.Trigger>
      </Tabs.List>
      {rowTabs.map(({ name, what, hint }) => (
        <Tabs.Content key={name} value={name} className="tab-page" data-scrolls>
          <div className="grid min-w-0 gap-3 border-0 p-0 [&_.button]:-ml-4 [&_.button]:justify-self-start [&_legend]:mb-2 [&_legend]:text-s [&_legend]:font-semibold [&_legend]:text-mid">
            <NamedValueRows
              what={what}
              rows={draft[name]}
              maximum={maxRows}
              empty={{ name: '', value: '', on: true }}
              onChange={(rows) => editDraft(integrationId, { [name]: rows })}
            />
            <p className="field-hint text-s text-dim">{hint}</p>
          </div>
        </Tabs.Content>
      ))}
      <Tabs.Content
        value="body"
        className="tab-page grid-rows-1 content-stretch overflow-hidden pb-4"
        data-scrolls
      >
        <BodyEditor integrationId={integrationId} draft={draft} />
      </Tabs.Content>
    </Tabs.Root>
  )
}

function Number({ of }: { of: number }) {
  return of === 0 ? null : <span className="text-xs font-medium text-dim">{of}</span>
}

function countOn(rows: readonly ApiParameter[]): number {
  return rows.filter(({ name, on }) => on && name.trim() !== '').length
}

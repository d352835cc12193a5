import { AlignLeft, Check, Plus, TriangleAlert } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../../components/Button.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { useSliced } from '../body/in-slices.ts'
import { jsonIndex } from '../body/json-index.ts'
import type { Draft } from './draft.ts'
import { formatJson, placeIn } from './format-json.ts'
import { editDraft } from './store.ts'

/** Up to this many characters are checked at each key. */
const small = 64 * 1024
const longest = 4_000_000
const encoder = new TextEncoder()

interface Props {
  readonly integrationId: number
  readonly draft: Draft
}

/** The body as text, checked as JSON while it is written. */
export function BodyEditor({ integrationId, draft }: Props) {
  const { body, headers, method } = draft
  const json = useSliced(
    useCallback(() => jsonIndex(body), [body]),
    body.length <= small,
  )
  const valid = json?.fault === null
  const typed = headers.some(({ name, on }) => on && name.trim().toLowerCase() === 'content-type')
  return (
    <div className="body-editor">
      <textarea
        className="mono"
        aria-label="Body"
        aria-describedby="body-check"
        placeholder="Nothing is sent."
        value={body}
        maxLength={longest}
        spellCheck={false}
        data-scrolls
        onChange={(event) => editDraft(integrationId, { body: event.target.value })}
      />
      <div className="body-editor-foot">
        <span id="body-check" role="status">
          {body === '' ? (
            <span className="dim">No body</span>
          ) : json === null ? (
            <span className="dim">{size(body)}, being checked</span>
          ) : json.fault === null ? (
            <span className="body-good">
              <Check aria-hidden /> JSON, {size(body)}
            </span>
          ) : (
            <span className="body-bad">
              <TriangleAlert aria-hidden /> Not JSON from line {placeIn(body, json.fault).line},
              column {placeIn(body, json.fault).column}. It is sent as it is, {size(body)}.
            </span>
          )}
        </span>
        {valid && !typed && body !== '' && (
          <Button
            kind="quiet"
            icon={<Plus aria-hidden />}
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
          icon={<AlignLeft aria-hidden />}
          disabled={!valid || !json.complete}
          onClick={() => valid && editDraft(integrationId, { body: formatJson(json) })}
        >
          Format
        </Button>
      </div>
      {body !== '' && (method === 'GET' || method === 'HEAD') && (
        <p className="field-hint">
          A {method} request with a body has no meaning that HTTP defines (RFC 9110, 9.3).
        </p>
      )}
    </div>
  )
}

function size(text: string): string {
  return byteSize(encoder.encode(text).length)
}

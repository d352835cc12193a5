import { Tabs } from 'radix-ui'
import { useCallback } from 'react'
import type { ApiExchange } from '#contract/api.ts'
import { answerLimit } from '#contract/api.ts'
import { focusTab } from '../../components/focus-tab.ts'
import { SecretsOf } from '../../components/Masked.tsx'
import { Note } from '../../components/Note.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { useClient } from '../../platform/use-client.ts'
import { BodyView } from '../body/BodyView.tsx'
import { isEncoded } from '../body/is-encoded.ts'
import type { ReadSlice } from '../body/use-body.ts'
import { useBody } from '../body/use-body.ts'
import { AdviceNote } from './AdviceNote.tsx'
import { AnswerHead } from './AnswerHead.tsx'
import { AnswerHeaders } from './AnswerHeaders.tsx'
import { HopList } from './HopList.tsx'
import '../../components/Tabs.css'

const words = { tree: 'Pretty', text: 'Raw', hex: 'Bytes' } as const

/** One exchange: what came, why nothing came, what to do about it, and every request on the way. */
export function Answer({ exchange }: { readonly exchange: ApiExchange }) {
  const client = useClient()
  const { id, hops, error, advice, heldBack } = exchange
  const reveal = useCallback(
    async (name: string) => (await client.call('api.reveal', { id, name })).value,
    [client, id],
  )
  const last = hops.at(-1)
  const answer = last?.answer ?? null
  return (
    <SecretsOf heldBack={heldBack} reveal={reveal}>
      <AnswerHead exchange={exchange} />
      <div className="answer-notes">
        {error !== null && (
          <Note tone="invalid" alert>
            {error}
          </Note>
        )}
        {advice !== null && <AdviceNote advice={advice} tokenId={exchange.tokenId} />}
        {answer?.truncated === true && (
          <Note tone="missing">
            More came than is kept: the first {byteSize(exchange.bytesKept)} of{' '}
            {byteSize(answer.bytes)}. An answer is kept up to {byteSize(answerLimit)}.
          </Note>
        )}
        {exchange.bodyNote !== undefined && <Note tone="info">{exchange.bodyNote}</Note>}
      </div>
      <Tabs.Root className="detail-tabs" defaultValue={answer === null ? 'hops' : 'body'}>
        <Tabs.List className="tabs" onFocus={focusTab} aria-label="Parts of the answer">
          {answer !== null && (
            <>
              <Tabs.Trigger value="body">Body</Tabs.Trigger>
              <Tabs.Trigger value="headers">
                Headers <span className="console-number">{answer.headers.length}</span>
              </Tabs.Trigger>
            </>
          )}
          <Tabs.Trigger value="hops">
            Hops {hops.length > 1 && <span className="console-number">{hops.length}</span>}
          </Tabs.Trigger>
        </Tabs.List>
        {answer !== null && (
          <>
            <Tabs.Content value="body" forceMount className="tab-page tab-fixed" data-scrolls>
              <AnswerBody
                exchange={exchange}
                encoded={isEncoded(answer.headers)}
                method={last?.request.method ?? exchange.method}
              />
            </Tabs.Content>
            <Tabs.Content value="headers" className="tab-page" data-scrolls>
              <AnswerHeaders label="Headers of the answer" headers={answer.headers} />
            </Tabs.Content>
          </>
        )}
        <Tabs.Content value="hops" className="tab-page" data-scrolls>
          <HopList hops={hops} />
        </Tabs.Content>
      </Tabs.Root>
    </SecretsOf>
  )
}

interface BodyProps {
  readonly exchange: ApiExchange
  readonly encoded: boolean
  readonly method: string
}

function AnswerBody({ exchange, encoded, method }: BodyProps) {
  const client = useClient()
  const { id } = exchange
  const read: ReadSlice = useCallback(
    (slice) => client.call('api.body', { id, ...slice }),
    [client, id],
  )
  const source = useBody(read, { encoded })
  return (
    <BodyView
      source={source}
      encoded={encoded}
      words={words}
      none={method === 'HEAD' ? 'A HEAD request asks for the head alone.' : 'Only its head came.'}
    />
  )
}

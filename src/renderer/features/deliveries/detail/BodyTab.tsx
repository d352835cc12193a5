import type { Delivery } from '#contract/models.ts'
import { byteSize } from '../../../components/text/numbers.ts'
import { BodyView } from '../../body/BodyView.tsx'
import type { BodySource } from '../../body/use-body.ts'

interface Props {
  readonly delivery: Delivery
  readonly source: BodySource
  /** It came with a `Content-Encoding`. */
  readonly encoded: boolean
}

const words = { tree: 'Tree', text: 'Text', hex: 'Hex' } as const

/** The body of a delivery as tree, text and bytes. */
export function BodyTab({ delivery, source, encoded }: Props) {
  return (
    <BodyView
      source={source}
      encoded={encoded}
      words={words}
      none="The request ended after its head."
      after={
        delivery.bytesKept < delivery.bytes &&
        `, of ${byteSize(delivery.bytes)} that arrived only this was kept`
      }
    />
  )
}

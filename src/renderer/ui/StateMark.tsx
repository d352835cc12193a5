import type { Icon } from './icons.tsx'
import { Row } from './Layout.tsx'

interface Props {
  readonly tone: 'valid' | 'invalid' | 'warning' | 'unsigned' | 'info'
  readonly icon: Icon
  readonly word: string
}

/** A state as an icon and a word, so that it does not depend on color. */
export function StateMark({ tone, icon: Icon, word }: Props) {
  return (
    <Row
      as="span"
      inline
      align="baseline"
      gap={3}
      fixed
      tone="state"
      size="s"
      weight="semibold"
      nowrap
      className="state-mark"
      data-tone={tone}
    >
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={2.8} />
      </span>
      {word}
    </Row>
  )
}

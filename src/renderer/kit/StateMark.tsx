import type { Icon } from './icons.tsx'

interface Props {
  readonly tone: 'valid' | 'invalid' | 'warning' | 'unsigned' | 'info'
  readonly icon: Icon
  readonly word: string
}

/** A state as an icon and a word, so that it does not depend on color. */
export function StateMark({ tone, icon: Icon, word }: Props) {
  return (
    <span
      className="baseline inline-flex flex-none gap-3 text-s font-semibold whitespace-nowrap text-tone"
      data-tone={tone}
    >
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={2.8} />
      </span>
      {word}
    </span>
  )
}

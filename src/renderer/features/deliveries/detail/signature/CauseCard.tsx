import { ArrowRight, Check } from 'lucide-react'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import { Shown } from '#renderer/components/Shown.tsx'
import { placeWords } from './words.ts'

interface Props {
  readonly cause: DiagnosisCause
  /** False: what came of trying it is told already. */
  readonly detailed: boolean
}

/** A cause that matches, with what to do about it. */
export function CauseCard({ cause, detailed }: Props) {
  const { code, title, detail, fix, where } = cause
  return (
    <article className="plain-card cause-card" aria-label={title} data-testid="cause">
      <header>
        <span className="tag" data-tone="info">
          <Check aria-hidden strokeWidth={3} /> found
        </span>
        <h4>{title}</h4>
        <code className="mono dim">{code}</code>
      </header>
      {detailed && (
        <p className="selectable dim">
          <Shown text={detail} />
        </p>
      )}
      <div className="cause-fix">
        <p>
          <b>To do {placeWords[where]}.</b> <Shown text={fix} />
        </p>
        {where === 'here' && (
          <a className="button" data-kind="plain" href="#/endpoints">
            Open the endpoints <ArrowRight aria-hidden />
          </a>
        )}
      </div>
    </article>
  )
}

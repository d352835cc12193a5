import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { useFocusOnUnmount } from './focus.ts'
import { type IconOrElement, iconElement, Icons } from './icons.tsx'

export interface Line {
  readonly icon: IconOrElement
  readonly sentence: ReactNode
  /** The whole sentence, where it may be cut. */
  readonly title?: string
  readonly tone?: 'invalid' | 'warning'
  readonly progress?: ReactNode
  readonly actions?: ReactNode
  /** Shows what the sentence is about. */
  readonly onOpen?: () => void
  readonly onClose?: (() => void) | undefined
}

/** What happens or is wrong, in one line with its actions. */
export function StripLine({ icon, sentence, title, progress, actions, onOpen, onClose }: Line) {
  return (
    <>
      <span className="grid text-tone">{iconElement(icon)}</span>
      <div className="grid min-h-0 min-w-0 flex-1">
        {onOpen ? (
          <button
            type="button"
            className="cut text-left hover:underline"
            title={title}
            onClick={onOpen}
          >
            {sentence}
          </button>
        ) : (
          <span className="cut" title={title}>
            {sentence}
          </span>
        )}
      </div>
      {progress}
      <div className="flex flex-none items-center gap-2">
        {actions}
        {onClose && (
          <IconButton label="Dismiss" onClick={onClose}>
            <Icons.X />
          </IconButton>
        )}
      </div>
    </>
  )
}

export interface Notice extends Line {
  /** What it is about. It changes with its cause. */
  readonly key: string
  readonly kind: string
}

const maxLines = 3
/** What is below the strip starts above this share of the height of the window. */
const share = 1 / 4

/** The most urgent notices, which are the first ones, in as many lines as there is room for. A button shows the others. */
export function Strip({ notices }: { notices: readonly Notice[] }) {
  const strip = useRef<HTMLElement>(null)
  const [lines, setLines] = useState(maxLines)
  const [all, setAll] = useState(false)
  useLayoutEffect(() => {
    const fit = (): void => {
      const line = strip.current?.querySelector('li')
      if (!strip.current || !line) return
      const room = innerHeight * share - strip.current.getBoundingClientRect().top
      setLines(Math.min(maxLines, Math.max(1, Math.floor(room / line.offsetHeight))))
    }
    // After each render: what is above the strip may have changed.
    fit()
    window.addEventListener('resize', fit)
    return () => window.removeEventListener('resize', fit)
  })
  const more = notices.length - lines
  return (
    <section
      ref={strip}
      className="strip max-h-[50vh] overflow-auto border-t border-t-line-soft [&>ul>.strip-line]:border-b [&>ul>.strip-line]:border-b-[color-mix(in_srgb,var(--tone)_18%,var(--line))] [&>ul>.strip-line]:bg-[color-mix(in_srgb,var(--tone-soft)_55%,var(--surface))]"
      aria-label="Notices"
      tabIndex={-1}
    >
      <ul>
        {(all ? notices : notices.slice(0, lines)).map((notice, index) => (
          <NoticeLine
            {...notice}
            key={notice.key}
            strip={strip}
            actions={
              <>
                {notice.actions}
                {index === 0 && more > 0 && (
                  <Button small kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
                    {all ? 'Show fewer' : `${more} more`}
                  </Button>
                )}
              </>
            }
          />
        ))}
      </ul>
    </section>
  )
}

interface NoticeLineProps extends Omit<Notice, 'key'> {
  /** Receives the focus when the line is removed. */
  strip: RefObject<HTMLElement | null>
}

function NoticeLine({ strip, kind, tone, ...line }: NoticeLineProps) {
  const item = useFocusOnUnmount<HTMLLIElement>(strip)
  return (
    <li
      ref={item}
      className="strip-line flex min-h-(--control-s) items-center gap-4 bg-surface py-0 pr-4 pl-5 text-s"
      data-testid={kind}
      data-tone={tone}
    >
      <StripLine {...line} />
    </li>
  )
}

/** Background work, in one line below every page. */
export function StatusLine({ label, ...line }: Line & { readonly label: string }) {
  return (
    <section
      className="strip-line status-line flex min-h-10 items-center gap-4 bg-surface py-0 pr-4 pl-5 text-s [&_.cut]:wrap-anywhere [&_.cut]:whitespace-normal [&_.job-progress]:min-w-(--measure-number) [&_.job-progress]:flex-1 [&_.log-progress]:min-w-(--measure-number) [&_.log-progress]:flex-1"
      aria-label={label}
    >
      <StripLine {...line} />
    </section>
  )
}

import type { ComponentProps, JSX, ReactNode } from 'react'
import './Layout.css'

/** A step of the spacing scale: `--space-1` is 2 px, `--space-11` is 48 px. */
type Space = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

export interface BoxProps {
  readonly gap?: Space
  /** The gap between columns, if it differs from the gap between rows. */
  readonly gapX?: Exclude<Space, 1 | 7>
  readonly align?: 'start' | 'center' | 'end' | 'baseline'
  readonly justify?: 'center' | 'end' | 'between'
  readonly wrap?: boolean
  /** One value for all sides, or one for top and bottom and one for left and right. */
  readonly pad?: Space | readonly [y: Exclude<Space, 7>, x: Exclude<Space, 2>]
  readonly marginTop?: Exclude<Space, 7 | 8>
  /** Takes the remaining space. */
  readonly grow?: boolean
  readonly fixed?: boolean
  /** May become narrower than its content, and lower if it fills the height of its parent. */
  readonly shrink?: boolean
  /** Moves to the right end of its row. */
  readonly push?: boolean
  readonly size?: '2xs' | 'xs' | 's' | 'm' | 'l' | 'xl'
  readonly weight?: 'normal' | 'medium' | 'semibold' | 'bold'
  readonly tone?: 'ink' | 'mid' | 'dim' | 'state' | 'valid' | 'invalid' | 'warning' | 'accent'
  readonly mono?: boolean
  /** One line, with an ellipsis where it does not fit. */
  readonly cut?: boolean
  /** Breaks within a word if it has to. */
  readonly anywhere?: boolean
  readonly nowrap?: boolean
  readonly selectable?: boolean
  /** A card: a border and a background, of a surface or of its state. */
  readonly frame?: boolean | 'state'
  /** A border on one side. A dashed one separates parts of a card and adds space. */
  readonly line?: 'top' | 'bottom' | 'top-soft' | 'bottom-soft' | 'top-dashed'
  /** The size of the icons in it. */
  readonly icon?: 'xs' | 'm' | 'l' | 'xl'
  readonly tall?: 'control' | 'control-l'
  /** The width, by the measure of that name. */
  readonly measure?: 'key' | 'label'
  readonly background?: 'bg' | 'surface' | 'raised' | 'sunken' | 'accent' | 'warning' | 'state'
  readonly round?: 's' | 'm' | 'l' | 'full'
  /** A line between entries, or a dot between entries next to each other. */
  readonly lined?: boolean
  readonly dotted?: boolean
  readonly scroll?: boolean
  readonly clip?: boolean
  readonly full?: boolean
  readonly wide?: boolean
  readonly center?: boolean
  /** On a phone: a grid has one column, a row wraps. */
  readonly collapse?: boolean
}

export type Tag = keyof JSX.IntrinsicElements
export type Props<T extends Tag> = BoxProps & { readonly as?: T } & Omit<
    ComponentProps<T>,
    keyof BoxProps | 'as'
  >
/** The props without those of the element, which are passed through. */
export interface AnyProps extends BoxProps {
  readonly as?: Tag
  readonly className?: string | undefined
}

/** Props with a value: `size="s"` is the class `size-s`. */
const scales = [
  'gap',
  'gap-x',
  'pad-y',
  'pad-x',
  'margin-top',
  'align',
  'justify',
  'size',
  'weight',
  'tone',
  'line',
  'background',
  'round',
  'icon',
  'tall',
  'measure',
] as const

/** Props that are on or off, each with a class of its name. */
const flags = [
  'wrap',
  'grow',
  'fixed',
  'shrink',
  'push',
  'mono',
  'cut',
  'anywhere',
  'nowrap',
  'selectable',
  'lined',
  'dotted',
  'scroll',
  'clip',
  'full',
  'wide',
  'center',
  'collapse',
] as const

/** Turns the layout props into classes of `Layout.css` and passes all other props on. */
export function boxed({ gapX, marginTop, pad, frame, className, ...others }: AnyProps): {
  readonly className: string | undefined
} {
  const [padY, padX] = typeof pad === 'object' ? pad : [pad, pad]
  const rest = new Map<string, unknown>(
    Object.entries({
      ...others,
      'gap-x': gapX,
      'margin-top': marginTop,
      'pad-y': padY,
      'pad-x': padX,
    }),
  )
  const named = scales.map((name) => (rest.get(name) ? `${name}-${String(rest.get(name))}` : null))
  const on = flags.filter((flag) => rest.get(flag) === true)
  for (const name of [...scales, ...flags]) rest.delete(name)
  return {
    ...Object.fromEntries(rest),
    className:
      cx(...named, ...on, frame && (frame === 'state' ? 'framed-state' : 'framed'), className) ||
      undefined,
  }
}

interface StackProps {
  /** A flex column instead of a grid, so that a child with `grow` takes the remaining height. */
  readonly column?: boolean
}

export function Stack<T extends Tag = 'div'>(props: Props<T> & StackProps): ReactNode
export function Stack({ as: Element = 'div', column, ...rest }: AnyProps & StackProps) {
  const { className, ...others } = boxed(rest)
  return <Element {...others} className={cx(column ? 'stack-flex' : 'stack', className)} />
}

interface RowProps {
  readonly inline?: boolean
}

export function Row<T extends Tag = 'div'>(props: Props<T> & RowProps): ReactNode
export function Row({ as: Element = 'div', inline, ...rest }: AnyProps & RowProps) {
  const { className, ...others } = boxed(rest)
  return <Element {...others} className={cx(inline ? 'row-inline' : 'row', className)} />
}

interface GridProps {
  /** `1` takes the remaining space. The others are as wide as their content or the measure with that name. `asides`: as many columns of that
   * width as fit. */
  readonly columns:
    | '1'
    | '1 1'
    | 'auto 1'
    | '1 auto'
    | 'asides'
    | 'auto 1 auto'
    | 'number 1'
    | 'key 1'
    | 'label 1'
    | '1 field'
    | '1 1 1'
    | '1 1 label'
    | 'aside 1'
}

export function Grid<T extends Tag = 'div'>(props: Props<T> & GridProps): ReactNode
export function Grid({ as: Element = 'div', columns, ...rest }: AnyProps & GridProps) {
  const { className, ...others } = boxed(rest)
  return (
    <Element
      {...others}
      className={cx('stack', `columns-${columns.replaceAll(' ', '-')}`, className)}
    />
  )
}

/** Text in a size, weight and tone of the scales. */
export function Text<T extends Tag = 'span'>(props: Props<T>): ReactNode
export function Text({ as: Element = 'span', ...rest }: AnyProps) {
  return <Element {...boxed(rest)} />
}

/** Joins class names and omits false and missing ones. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

import type { Diagnosis, FrameworkGuess } from '#contract/deliveries.ts'
import { frameworks } from '#catalogue/frameworks.ts'
import { CheckCode } from '../../../raw-body/index.tsx'
import { Grid, Row, Stack, Text } from '../../../../ui/Layout.tsx'
import { Shown } from '../../../../ui/Shown.tsx'

const maxShown = 4

interface Props {
  readonly diagnosis: Diagnosis
  readonly brand: string
}

/** For a valid signature that a handler rejects: what frameworks make of this body if the handler does not use the raw bytes. */
export function Frameworks({ diagnosis: { rejected, frameworks: guesses }, brand }: Props) {
  const changing = guesses.filter(({ changes }) => changes)
  const others = guesses.filter(({ changes }) => !changes)
  const isRejected = rejected !== null
  return (
    <Stack
      as="section"
      gap={4}
      pad={[5, 6]}
      className="plain-card"
      aria-label="If your handler rejects it"
      data-testid="frameworks"
    >
      <Text as="h3" weight="semibold">
        {!isRejected ? 'If your handler rejects it' : 'What your handler may make of this body'}
      </Text>
      {changing.length === 0 ? (
        <p className="dim">
          No common framework changes this body when it serializes it again. Check the handler’s
          secret, how it compares, and whether the body was read before.
        </p>
      ) : (
        <>
          <p className="dim">
            It may serialize the JSON again instead of using the raw bytes. These change this body:
          </p>
          <GuessList guesses={changing.slice(0, maxShown)} brand={brand} open={isRejected} />
          {changing.length > maxShown && (
            <details>
              <summary>{changing.length - maxShown} more</summary>
              <GuessList guesses={changing.slice(maxShown)} brand={brand} />
            </details>
          )}
          {others.length > 0 && (
            <p className="dim size-s">
              These leave it as it is: {[...new Set(others.map(({ label }) => label))].join(', ')}.
            </p>
          )}
        </>
      )}
    </Stack>
  )
}

interface GuessesProps {
  readonly guesses: readonly FrameworkGuess[]
  readonly brand: string
  /** Whether the check of the first one is shown. */
  readonly open?: boolean
}

function GuessList({ guesses, brand, open = false }: GuessesProps) {
  return (
    <Stack as="ul" gap={4}>
      {guesses.map((guess, index) => (
        <Guess key={guess.writes} guess={guess} brand={brand} open={open && index === 0} />
      ))}
    </Stack>
  )
}

interface GuessProps {
  readonly guess: FrameworkGuess
  readonly brand: string
  readonly open: boolean
}

function Guess({ guess, brand, open }: GuessProps) {
  const { label, check, writes, words, difference } = guess
  const framework = frameworks.find(({ id }) => id === check)
  return (
    <li>
      <Row wrap align="center" gap={2} gapX={4}>
        <b>{label}</b>
        <Text as="code" mono size="s" anywhere>
          {writes}
        </Text>
      </Row>
      <p className="dim size-s">It writes the JSON {words.join(', ')}.</p>
      {difference && difference.signed !== '' && (
        <Grid as="dl" columns="key 1" gap={1} gapX={4} size="s" mono anywhere>
          <dt className="dim">received</dt>
          <dd>
            <Shown text={described(difference.path, difference.received)} />
          </dd>
          <dt className="dim">written</dt>
          <dd>
            <Shown text={described(difference.path, difference.signed)} />
          </dd>
        </Grid>
      )}
      {framework && (
        <details open={open}>
          <summary>Show the correct check</summary>
          <CheckCode framework={framework} brand={brand} />
        </details>
      )}
    </li>
  )
}

function described(path: string, text: string): string {
  return path === '' ? text : `${path}: ${text}`
}

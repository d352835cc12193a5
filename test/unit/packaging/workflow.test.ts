import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.join(root, '.github/workflows')
const Step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
})
const Job = z.object({
  uses: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  'timeout-minutes': z.number().optional(),
  steps: z.array(Step).default([]),
})
const Workflow = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
})
const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
const read = (name: string): z.infer<typeof Workflow> => Workflow.parse(parse(text(name)))

const release = read('release.yml')
const packaging = read('package.yml')
const { npm } = read('publish.yml').jobs
const script = (job: z.infer<typeof Job> | undefined): string =>
  job?.steps.map(({ run }) => run ?? '').join('\n') ?? ''

it('writes only where the release is drafted, and where the npm package gets its provenance', () => {
  const { test, build, release: draft } = release.jobs
  for (const { permissions } of [release, packaging, read('publish.yml')])
    expect(permissions).toEqual({ contents: 'read' })
  expect(draft?.permissions).toEqual({ contents: 'write' })
  expect(npm?.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  for (const job of [test, build, ...Object.values(packaging.jobs)])
    expect(job?.permissions).toBeUndefined()
})

describe.each(['test.yml', 'package.yml', 'release.yml', 'publish.yml'])('%s', (name) => {
  const { jobs } = read(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('uses only official actions, pinned by commit, without push permission', () => {
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(1)
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[\da-f]{40}$/)
    // Who reads it, and what keeps them new, see which version that is.
    expect([...text(name).matchAll(/@[\da-f]{40} # v\d+\.\d+\.\d+$/gm)]).toHaveLength(used.length)
    for (const { uses, with: given } of steps) {
      if (uses?.startsWith('actions/checkout@'))
        expect(given).toEqual({ 'persist-credentials': false })
    }
    // What strangers write (the name of a branch or tag, a message) never stands in a script.
    for (const job of Object.values(jobs)) expect(script(job)).not.toContain('${{')
  })

  it.runIf(name !== 'release.yml')(
    'installs with an npm that rejects unreviewed install scripts',
    () => {
      const installs = steps.filter(({ run }) => run?.startsWith('npm ci'))
      expect(installs.length).toBe(1)
      expect(installs[0]?.run).toBe('npm ci --strict-allow-scripts')
      // npm knows the option from 11.16 on, which Node 24.19 brings; an older one that the runner has would ignore it.
      const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))
      expect(node?.with?.['node-version']).toBe('^24.19.0')
    },
  )

  it('lets no job run forever', () => {
    for (const job of Object.values(jobs)) {
      if (job.uses === undefined) expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
    }
  })

  it('reads secrets only in the steps that receive them', () => {
    if (name === 'test.yml') expect(text(name)).not.toContain('secrets.')
    else expect(text(name)).toContain('secrets.')
  })
})

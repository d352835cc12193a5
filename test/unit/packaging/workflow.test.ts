import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { defaultDataDir } from '#hosts/data-dir.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.join(root, '.github/workflows')
const Step = z.object({
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  'timeout-minutes': z.number().optional(),
})
const Job = z.object({
  if: z.string().optional(),
  uses: z.string().optional(),
  needs: z.string().optional(),
  secrets: z.record(z.string(), z.string()).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  strategy: z
    .object({
      matrix: z.object({
        os: z.array(z.string()).optional(),
        include: z
          .array(z.object({ runner: z.string(), os: z.string(), arch: z.string() }))
          .optional(),
      }),
    })
    .optional(),
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
const { test, build, release: draft } = release.jobs
const { build: onEach, check } = packaging.jobs
const { npm } = read('publish.yml').jobs
const script = (job: z.infer<typeof Job> | undefined): string =>
  job?.steps.map(({ run }) => run ?? '').join('\n') ?? ''
const systems = ['ubuntu-latest', 'macos-latest', 'windows-latest']

describe('the release workflow', () => {
  it('creates a draft only after all tests and the self-check of every package', () => {
    expect(test?.uses).toBe('./.github/workflows/test.yml')
    expect(build?.uses).toBe('./.github/workflows/package.yml')
    expect([build?.needs, draft?.needs]).toEqual(['test', 'build'])
    expect(read('test.yml').jobs['test']?.strategy?.matrix.os).toEqual(systems)
    // A job that is skipped in a called workflow skips whatever needs that workflow; always() and its like would draft after a failure.
    for (const { jobs } of [read('test.yml'), packaging, release])
      for (const job of Object.values(jobs)) expect(job.if).toBeUndefined()
    for (const name of ['release.yml', 'package.yml'])
      expect(text(name)).not.toMatch(/continue-on-error|\|\| true/)
    expect(script(draft)).toMatch(/gh release create .*--draft/)
  })

  it('writes only where it drafts, and where the npm package gets its provenance', () => {
    for (const { permissions } of [release, packaging, read('publish.yml')])
      expect(permissions).toEqual({ contents: 'read' })
    expect(draft?.permissions).toEqual({ contents: 'write' })
    expect(npm?.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    for (const job of [build, onEach, check]) expect(job?.permissions).toBeUndefined()
  })
})

describe('the packaging workflow', () => {
  it('packages the version of its tag, and publishes nothing by itself', () => {
    expect(script(onEach)).toContain('test "$GITHUB_REF_NAME" = "v$(node -p')
    expect(script(onEach)).toContain('--publish never')
    expect(script(npm)).toMatch(/test "\$GITHUB_REF_NAME" = "v\$\(node -p .*\nnpm publish /)
  })

  it('signs and notarizes if there are secrets, and works without them', () => {
    const env = Object.assign({}, ...(onEach?.steps.map((step) => step.env ?? {}) ?? []))
    // Each secret that is used is handed over, by the release alone.
    const used = [...text('package.yml').matchAll(/(\w+): .*&& secrets\.(\w+) \|\| '' \}\}$/gm)]
    expect(used.length).toBeGreaterThan(5)
    expect(new Set(Object.keys(build?.secrets ?? {}))).toEqual(new Set(used.map(([, , of]) => of)))
    expect(read('ci.yml').jobs['package']?.secrets).toBeUndefined()
    // The packager takes an empty one for a certificate, and fails.
    for (const [, name] of used)
      expect(script(onEach)).toMatch(new RegExp(String.raw`(for name in.*|unset )\b${name}\b`))
    expect(script(onEach)).toContain('-c.mac.identity=-')
    // Else it would leave the signature of Electron's own files, which no longer fits, and macOS would not start the app.
    expect(env).toHaveProperty('CSC_FOR_PULL_REQUEST', 'true')
  })

  it('installs on each system and processor what it packaged, over an earlier version', () => {
    expect(check?.needs).toBe('build')
    const runners = check?.strategy?.matrix.include ?? []
    expect(runners.map(({ os, arch }) => `${os} ${arch}`)).toEqual(
      systems.flatMap((os) => [`${os} x64`, `${os} arm64`]),
    )
    const upgrade = check?.steps.find(({ run }) => run?.includes('install packages'))?.run ?? ''
    expect(upgrade).toMatch(/install earlier\nreceive\ninstall packages\nreceive\n/)
    // Where the app keeps its data.
    for (const platform of ['linux', 'darwin'] as const)
      expect(upgrade).toContain(`data="${defaultDataDir(platform, {}, '$HOME')}"`)
  })
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
      if (uses?.startsWith('actions/checkout@')) {
        expect(given).toEqual({ 'persist-credentials': false })
      }
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

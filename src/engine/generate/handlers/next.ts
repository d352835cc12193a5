import check from '#catalogue/raw-body-checks/next.ts'
import { defineHandler } from '../generators.ts'
import { nodeProject } from '../projects/node.ts'

// Next.js adds to it what is missing.
const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['dom', 'dom.iterable', 'dom.asynciterable', 'esnext'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['node'],
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    allowJs: true,
    incremental: true,
    isolatedModules: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    plugins: [{ name: 'next' }],
  },
  include: ['next-env.d.ts', '**/*.ts', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
  exclude: ['node_modules'],
}

export default defineHandler(check, (model) =>
  nodeProject(model, {
    label: check.label,
    dependencies: { next: '^16.0.0', react: '^19.2.0', 'react-dom': '^19.2.0' },
    devDependencies: { '@types/react': '^19.2.0' },
    scripts: { dev: 'next dev', build: 'next build', start: 'next start' },
    tsconfig,
    ignored: ['.next', 'next-env.d.ts'],
    isBuilt: true,
    files: (receiver) => [
      { path: check.fileName, text: check.code(model.brand, receiver('../../webhooks.ts')) },
    ],
  }),
)

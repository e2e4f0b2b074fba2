import { afterEach } from 'vitest'
import { returnToPresent } from './clock.ts'

// vitest runs this before every test file. The files of a worker share their modules, so a hook that a module registers
// while it is loaded would apply to the first file only.
afterEach(returnToPresent)

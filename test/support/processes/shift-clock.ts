import { travel } from '../service/clock.ts'

// Loaded with `node --import` before a service starts, to give its process a wrong clock.
travel(Number(process.env.CLOCK_SHIFT_MILLISECONDS))

import { setFlagsFromString } from 'node:v8'

// Imported before all else. V8 would let its young generation grow to 130 MB while records stream through, which
// costs a third of the memory and saves no time.
setFlagsFromString('--semi-space-growth-factor=1')

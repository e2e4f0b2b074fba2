import { setFlagsFromString } from 'node:v8'

// Imported before all else. While records stream through, V8 would let its heap grow by garbage: the young generation
// to 130 MB, the old one to twice what lives. Collected earlier, an import holds 200 MB instead of 390 and takes no
// longer.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--heap-growing-percent=30')

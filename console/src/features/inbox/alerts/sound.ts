const NOTES = [
  { hertz: 660, at: 0 },
  { hertz: 880, at: 0.12 },
];
const LENGTH = 0.22;
const LOUDNESS = 0.08;
/** Several arrivals in a row are one chime. */
const APART_MS = 2_000;

let context: AudioContext | null = null;
let last = 0;

/** Plays two soft notes. A browser that nobody has clicked in yet keeps silent; that is its rule, not a failure. */
export function chime(): void {
  if (!("AudioContext" in window) || Date.now() - last < APART_MS) return;
  last = Date.now();
  context ??= new AudioContext();
  void context.resume();
  for (const { hertz, at } of NOTES) {
    const start = context.currentTime + at;
    const tone = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}

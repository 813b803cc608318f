const SHOWN: Record<'image' | 'audio', RegExp> = {
  image: /^image\/(png|jpeg|gif|webp)$/,
  audio: /^audio\/(wav|x-wav|wave|mpeg|mp3|mp4|ogg|webm|flac|aac)$/,
};

/** A data: address for a type that is safe to show, never SVG; undefined for everything else. */
export function dataUri(data: string, mimeType: string, kind: 'image' | 'audio'): string | undefined {
  const base64 = data.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  const type = kind === 'image' ? (imageType(base64) ?? '') : mimeType.toLowerCase().split(';')[0]?.trim();
  if (base64 === '' || !type || !SHOWN[kind].test(type)) return undefined;
  return `data:${type};base64,${base64}`;
}

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The true type of an image by how its base64 begins, whatever the server calls it. */
export function imageType(base64: string): ImageType | undefined {
  if (base64.startsWith('iVBORw0KGgo')) return 'image/png';
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  if (base64.startsWith('R0lGOD')) return 'image/gif';
  return base64.startsWith('UklGR') ? 'image/webp' : undefined;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** Bytes behind a base64 text. */
export function decodedSize(base64: string): number {
  const bare = base64.replace(/\s+/g, '').replace(/=+$/, '');
  return Math.floor((bare.length * 3) / 4);
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

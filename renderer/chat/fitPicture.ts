import { ATTACHMENT_LIMITS } from '../../shared/attachments.ts';

/** A model sees no more than that of the longer side; in pixels. */
const LONGEST_SIDE = 1568;

type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface Picture {
  mimeType: PictureType;
  data: Blob;
}

/** The picture in the size that a model looks at; as it is where it is small enough, or cannot be read here. */
export async function fitPicture(data: Blob, mimeType: PictureType): Promise<Picture> {
  const asItIs = { mimeType, data };
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(data);
  } catch {
    return asItIs; // Whoever reads it next says what is wrong with it.
  }
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && data.size <= ATTACHMENT_LIMITS.image) return asItIs;
    const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
    const canvas = new OffscreenCanvas(side(bitmap.width), side(bitmap.height));
    const context = canvas.getContext('2d');
    if (!context) return asItIs;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const sameType = mimeType === 'image/gif' ? 'image/png' : mimeType;
    const drawn = await canvas.convertToBlob({ type: sameType, quality: 0.9 });
    if (drawn.size <= ATTACHMENT_LIMITS.image) return { mimeType: sameType, data: drawn };
    // A photograph as PNG can be large in any size.
    return {
      mimeType: 'image/jpeg',
      data: await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 }),
    };
  } finally {
    bitmap.close();
  }
}

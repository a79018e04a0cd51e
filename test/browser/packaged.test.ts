import { createPackage } from '../../.config/vsix';
import { temporaryFolder } from '../host/processes';
import { openContainer, waitForOutput } from '../host/workbench';
import type { Scene } from './scene';
import { connect, follow, openScene, picture } from './scene';

describe('the package', () => {
  let scene: Scene;
  before(async () => {
    const { file } = await createPackage(await temporaryFolder('package'));
    scene = await openScene({ extensions: [file] });
  });
  after(() => scene.close());

  it('installs, connects and follows', async () => {
    await openContainer(scene.page, 'Control Plane');
    await connect(scene);
    await follow(scene, 'Everything');
    scene.controlPlane.admin.emit([{ body: 'seen by the package' }]);
    await waitForOutput(scene.page, 'seen by the package');
    await picture(scene, 'packaged');
  });
});

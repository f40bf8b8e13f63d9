#include "bridge/watch.h"

void ukJointNoted(dJointID handle, const ukNote *note)
{
    ukRegistryLock();
    ukJoint *joint = ukRegistryJoint(handle);
    if (joint && joint->world) joint->touched = joint->world->trace.step;
    if (joint && joint->class->note) {
        joint->class->note(joint, note);
    } else if (joint) {
        joint->stale = true;
    }
    ukRegistryUnlock();
}

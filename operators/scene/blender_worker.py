"""Draws solids with Blender: one request a line of JSON on standard input, one reply a line on standard output.

A program of its own: it runs in Blender's Python (or in one with the module bpy), and imports nothing else. The first
line it says is ``{"ready": "Blender's version"}``. A request is ``{"id", "side", "views"}``. A view has a ``camera``:
unit vectors ``right``, ``up``, ``near``, ``scale`` in pixels a metre, ``x`` and ``y`` of the origin on the picture,
the metres that it is ``away`` from the origin and those that it sees, ``sight``. Then ``light``, the direction in which
the sun is, ``air``, the colour of what is behind all, and ``solids``, each with ``vertices``, ``faces``, ``colour`` and
``opacity``. The reply is ``{"id", "views"}``, PNG files in Base64, or ``{"id", "error"}``.

Drawn by Cycles on the CPU, which needs no display and no graphics card. The seed is fixed and there is one light, so
that nothing is left to chance but where in a pixel rays are sent.
"""

import base64
import json
import math
import os
import sys
import tempfile
from typing import Any

SAMPLES = 8
#: How much of a colour is seen without the sun, and how much more in it.
AMBIENT, SUN = 0.42, 0.62


def main() -> None:
    """Answer requests until there are no more."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Blender tells of its progress where our replies go.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    import bpy  # type: ignore[import-not-found]

    say(out, {"ready": bpy.app.version_string})
    with tempfile.TemporaryDirectory() as folder:
        for line in iter(sys.stdin.readline, ""):
            request = json.loads(line)
            try:
                reply: Any = {"views": [drawn(bpy, view, request["side"], folder) for view in request["views"]]}
            except Exception as error:
                reply = {"error": f"{type(error).__name__}: {error}"}
            say(out, {"id": request["id"], **reply})


def say(out: Any, message: Any) -> None:
    """Write one line."""
    out.write(json.dumps(message) + "\n")
    out.flush()


def drawn(bpy: Any, view: dict[str, Any], side: int, folder: str) -> str:
    """The picture of a view, a PNG file in Base64."""
    clear(bpy)
    scene = bpy.context.scene
    settings(bpy, scene, side)
    background(bpy, scene, view["air"])
    sun(bpy, scene, view["light"])
    camera(bpy, scene, view["camera"], side)
    for solid in view["solids"]:
        body(bpy, scene, solid)
    path = os.path.join(folder, "view.png")  # noqa: PTH118 - what Blender takes
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    with open(path, "rb") as file:  # noqa: PTH123
        return base64.b64encode(file.read()).decode()


def clear(bpy: Any) -> None:
    """Leave nothing of the view before."""
    for kind in ("objects", "meshes", "materials", "lights", "cameras", "worlds"):
        blocks = getattr(bpy.data, kind)
        for block in list(blocks):
            blocks.remove(block)


def settings(bpy: Any, scene: Any, side: int) -> None:
    """Everything that a picture could depend on."""
    render = scene.render
    if not hasattr(scene, "cycles"):
        bpy.ops.preferences.addon_enable(module="cycles")
    render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples, cycles.seed = SAMPLES, 0
    cycles.use_adaptive_sampling = cycles.use_denoising = cycles.use_animated_seed = False
    cycles.max_bounces, cycles.transparent_max_bounces = 0, 32
    render.resolution_x = render.resolution_y = side
    render.resolution_percentage = 100
    render.use_border = render.use_stamp = render.use_compositing = render.use_sequencer = render.use_motion_blur = (
        False
    )
    render.dither_intensity = 0.0
    render.image_settings.file_format, render.image_settings.color_mode = "PNG", "RGB"
    render.image_settings.color_depth, render.image_settings.compression = "8", 15
    scene.view_settings.view_transform, scene.view_settings.look = "Standard", "None"
    scene.view_settings.exposure, scene.view_settings.gamma = 0.0, 1.0


def background(bpy: Any, scene: Any, colour: list[int]) -> None:
    """What is seen behind everything, which gives no light."""
    scene.world = world = bpy.data.worlds.new("air")
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    path, shade = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeBackground")
    out = nodes.new("ShaderNodeOutputWorld")
    shade.inputs["Color"].default_value = linear(colour)
    links.new(path.outputs["Is Camera Ray"], shade.inputs["Strength"])
    links.new(shade.outputs[0], out.inputs["Surface"])
    world.cycles.sampling_method = "NONE"


def sun(bpy: Any, scene: Any, towards: list[float]) -> None:
    """One light without a size, so that shadows have no noise."""
    import mathutils  # type: ignore[import-not-found]

    light = bpy.data.lights.new("sun", "SUN")
    light.energy, light.angle = SUN * math.pi, 0.0
    lamp = bpy.data.objects.new("sun", light)
    lamp.rotation_mode = "QUATERNION"
    lamp.rotation_quaternion = mathutils.Vector(towards).to_track_quat("Z", "Y")
    scene.collection.objects.link(lamp)


def camera(bpy: Any, scene: Any, told: dict[str, Any], side: int) -> None:
    """A camera without perspective that has the origin at its place on the picture."""
    import mathutils

    eye = bpy.data.cameras.new("camera")
    eye.type, eye.ortho_scale = "ORTHO", side / told["scale"]
    eye.clip_start, eye.clip_end = 0.01, told["sight"]
    placed = bpy.data.objects.new("camera", eye)
    right, up, near = (mathutils.Vector(told[name]) for name in ("right", "up", "near"))
    at = (
        right * ((side / 2 - told["x"]) / told["scale"])
        + up * ((told["y"] - side / 2) / told["scale"])
        + near * told["away"]
    )
    matrix = mathutils.Matrix((right, up, near)).transposed().to_4x4()
    matrix.translation = at
    placed.matrix_world = matrix
    scene.collection.objects.link(placed)
    scene.camera = placed


def body(bpy: Any, scene: Any, solid: dict[str, Any]) -> None:
    """A solid of one colour; of what is not opaque there is no shadow."""
    mesh = bpy.data.meshes.new("solid")
    mesh.from_pydata(solid["vertices"], [], solid["faces"])
    mesh.materials.append(material(bpy, solid["colour"], solid["opacity"]))
    made = bpy.data.objects.new("solid", mesh)
    made.visible_shadow = solid["opacity"] >= 1
    scene.collection.objects.link(made)


def material(bpy: Any, colour: list[int], opacity: float) -> Any:
    """A surface that shows its colour without any light, and more of it in the sun."""
    made = bpy.data.materials.new("colour")
    made.use_nodes = True
    # What glows lights nothing else; the name of that changed with Blender 3.5.
    if hasattr(made.cycles, "emission_sampling"):
        made.cycles.emission_sampling = "NONE"
    else:
        made.cycles.sample_as_light = False
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    glow, matt, both = (nodes.new(f"ShaderNode{kind}") for kind in ("Emission", "BsdfDiffuse", "AddShader"))
    out = nodes.new("ShaderNodeOutputMaterial")
    glow.inputs["Color"].default_value = matt.inputs["Color"].default_value = linear(colour)
    # Nor is it lit by what glows: only the camera sees that.
    path, strength = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeMath")
    strength.operation, strength.inputs[1].default_value = "MULTIPLY", AMBIENT
    links.new(path.outputs["Is Camera Ray"], strength.inputs[0])
    links.new(strength.outputs[0], glow.inputs["Strength"])
    links.new(glow.outputs[0], both.inputs[0])
    links.new(matt.outputs[0], both.inputs[1])
    last = both
    if opacity < 1:
        clear_, mixed = nodes.new("ShaderNodeBsdfTransparent"), nodes.new("ShaderNodeMixShader")
        mixed.inputs[0].default_value = opacity
        links.new(clear_.outputs[0], mixed.inputs[1])
        links.new(both.outputs[0], mixed.inputs[2])
        last = mixed
    links.new(last.outputs[0], out.inputs["Surface"])
    return made


def linear(colour: list[int]) -> tuple[float, float, float, float]:
    """A colour as light."""
    red, green, blue = (c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
    return red, green, blue, 1.0


if __name__ == "__main__":
    main()
